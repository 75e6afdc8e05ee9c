// The files that the sign-in pages load: a fixed table of addresses and files. Nothing else is served.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Middleware } from 'koa'
import { heldFile, pageStyle, type StaticFile, sendStatic } from '../http/static_file.ts'
import { PAGE_FILES } from './pages/page.ts'

const PAGES = join(import.meta.dirname, 'pages')

const held = async (name: string, type: string): Promise<StaticFile> =>
  heldFile(type, await readFile(join(PAGES, name)))

/** Reads the files once, at the start. */
export async function servePageFiles(): Promise<Middleware> {
  const files: ReadonlyMap<string, StaticFile> = new Map([
    [PAGE_FILES.style, await pageStyle(join(PAGES, 'pages.css'))],
    [PAGE_FILES.icon, await held('lighthouse.svg', 'image/svg+xml')],
    [PAGE_FILES.linkScript, await held('link.js', 'text/javascript; charset=utf-8')],
  ])
  return async (ctx, next) => {
    const file = files.get(ctx.path)
    if (file === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    await sendStatic(ctx, file)
  }
}
