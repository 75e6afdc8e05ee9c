// The console web app: built files from one folder, its page for every address of its own, and what robots may read.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import type { Context, Middleware } from 'koa'
import { CONSOLE_ROUTES } from '../../../shared/wire/console_routes.ts'
import { routePattern } from '../../../shared/wire/route_pattern.ts'
import { pageHeaders } from './security_headers.ts'

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

const pages = CONSOLE_ROUTES.map(routePattern)

/** Addresses that other surfaces answer, also when there is nothing there. */
const NOT_PAGES = /^\/(api|gql|socket\.io|mcp|oauth|\.well-known|health|metrics|assets)(\/|$)/

/** Everything else takes a credential, or is of no use to anybody who searches. */
const ROBOTS = `User-agent: *
Allow: /$
Allow: /verify$
Allow: /assets/
Allow: /api/json/open_api
Allow: /api/json/swaggerui
Allow: /api/json/redoc
Disallow: /
`

/** What the built page carries in the place of its nonce. */
const NONCE = '{nonce}'

/** The last segment has an ending: somebody asks for a file, and a page in its place would help nobody. */
const NAMES_A_FILE = /\.[A-Za-z0-9]+$/

/**
 * Serves only names that were in the folder when the server started: nothing in a path is ever resolved against the
 * file system. Files under `assets/` carry a hash in their name and never change.
 * An address that is none gets the page as well, with 404: it says so to people, the status to programs.
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
    if (ctx.path === '/robots.txt') {
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.body = ROBOTS
      return
    }
    const isPage = pages.some((page) => page.test(ctx.path))
    const isOthers = NOT_PAGES.test(ctx.path) || (!isPage && NAMES_A_FILE.test(ctx.path))
    const name = files.has(ctx.path) ? ctx.path : isOthers ? undefined : '/index.html'
    const path = name === undefined ? undefined : files.get(name)
    if (name === undefined || path === undefined) return next()
    ctx.status = isPage || name !== '/index.html' || ctx.path === name ? 200 : 404
    ctx.type = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
    if (name === '/index.html') return answerPage(ctx, await readFile(path, 'utf8'))
    ctx.length = (await stat(path)).size
    ctx.set('Cache-Control', name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.body = createReadStream(path)
  }
}

/**
 * The query editor makes a style element in the browser. The policy refuses inline styles, except those with the nonce
 * of this answer, which the page hands to the editor. The nonce stands in the page, so the page has no ETag: a 304 would
 * bring the policy of a new nonce to a page with an old one.
 */
const answerPage = (ctx: Context, page: string): void => {
  const nonce = randomBytes(16).toString('base64')
  ctx.set(pageHeaders({ 'style-src': `'self' 'nonce-${nonce}'` }))
  ctx.set('Cache-Control', 'no-cache')
  ctx.body = page.replaceAll(NONCE, nonce)
}
