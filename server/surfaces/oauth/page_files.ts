// The files that the sign-in pages load: a fixed table of addresses and files. Nothing else is served.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Middleware } from 'koa'
import { type HeldFile, sendFile } from '../http/send_file.ts'
import { PAGE_FILES } from './pages/page.ts'

const FILES: ReadonlyMap<string, { readonly type: string; readonly name: string }> = new Map([
  [PAGE_FILES.style, { type: 'text/css; charset=utf-8', name: 'pages.css' }],
  [PAGE_FILES.icon, { type: 'image/svg+xml', name: 'lighthouse.svg' }],
  [PAGE_FILES.linkScript, { type: 'text/javascript; charset=utf-8', name: 'link.js' }],
])

/** Reads the files once, at the start. */
export async function servePageFiles(): Promise<Middleware> {
  const files = new Map<string, HeldFile>()
  for (const [path, { type, name }] of FILES)
    files.set(path, { type, bytes: await readFile(join(import.meta.dirname, 'pages', name)) })
  return async (ctx, next) => {
    const file = files.get(ctx.path)
    if (file === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    await sendFile(ctx, file)
  }
}
