// The console web app: built files from one folder, and its page for every address that is its own.
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import type { Middleware } from 'koa'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Addresses that other surfaces answer, also when there is nothing there. */
const NOT_PAGES = /^\/(api|gql|socket\.io|mcp|oauth|\.well-known|health|metrics|assets)(\/|$)/

/**
 * Serves only names that were in the folder when the server started: nothing in a path is ever resolved against the
 * file system. Files under `assets/` carry a hash in their name and never change.
 */
export async function consoleFiles(folder: string): Promise<Middleware> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, string>()
  for (const name of names) {
    const path = join(folder, name)
    if ((await stat(path)).isFile() && extname(name) in CONTENT_TYPES)
      files.set(`/${name.split(/[\\/]/).join(posix.sep)}`, path)
  }
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    const name = files.has(ctx.path) ? ctx.path : NOT_PAGES.test(ctx.path) ? undefined : '/index.html'
    const path = name === undefined ? undefined : files.get(name)
    if (name === undefined || path === undefined) return next()
    ctx.type = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
    ctx.length = (await stat(path)).size
    ctx.set('Cache-Control', name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.body = createReadStream(path)
  }
}
