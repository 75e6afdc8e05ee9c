// The two documentation pages and the files they load: a fixed table of addresses and files. Nothing else is served.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { API_ROOT } from '../../catalog/route_list.ts'
import type { HeldFile } from '../http/send_file.ts'

/** The addresses of the two pages. Each page's files are below its address. */
export const PAGES = { explorer: `${API_ROOT}/swaggerui`, reference: `${API_ROOT}/redoc` } as const

const OURS = join(import.meta.dirname, 'pages')
const installed = createRequire(import.meta.url)

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Redoc loads its maker's logo from another host. This service replaces the address with an empty image. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'

interface Listed {
  readonly path: string
  readonly type: string
  readonly find: () => string
  readonly change?: (text: string) => string
}

const FILES: readonly Listed[] = [
  { path: PAGES.explorer, type: HTML, find: () => join(OURS, 'explorer.html') },
  { path: `${PAGES.explorer}/explorer.js`, type: JAVASCRIPT, find: () => join(OURS, 'explorer.js') },
  {
    path: `${PAGES.explorer}/swagger-ui-bundle.js`,
    type: JAVASCRIPT,
    find: () => installed.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  {
    path: `${PAGES.explorer}/swagger-ui.css`,
    type: 'text/css; charset=utf-8',
    find: () => installed.resolve('swagger-ui-dist/swagger-ui.css'),
  },
  { path: PAGES.reference, type: HTML, find: () => join(OURS, 'reference.html') },
  { path: `${PAGES.reference}/reference.js`, type: JAVASCRIPT, find: () => join(OURS, 'reference.js') },
  {
    path: `${PAGES.reference}/redoc.standalone.js`,
    type: JAVASCRIPT,
    find: () => installed.resolve('redoc/bundles/redoc.standalone.js'),
    change: (text) => text.replaceAll(LOGO, NO_LOGO),
  },
]

/** The files by address. Each is read on first use and kept in memory, about 3 MB in total. */
export function pageFiles(): {
  readonly has: (path: string) => boolean
  readonly get: (path: string) => Promise<HeldFile | undefined>
} {
  const listed = new Map(FILES.map((file) => [file.path, file]))
  const read = new Map<string, Promise<HeldFile>>()
  return Object.freeze({
    has: (path: string) => listed.has(path),
    get: async (path: string) => {
      const file = listed.get(path)
      if (file === undefined) return undefined
      const known = read.get(path) ?? load(file)
      read.set(path, known)
      return known
    },
  })
}

async function load({ find, type, change }: Listed): Promise<HeldFile> {
  const bytes = await readFile(find())
  return { type, bytes: change === undefined ? bytes : Buffer.from(change(bytes.toString('utf8'))) }
}
