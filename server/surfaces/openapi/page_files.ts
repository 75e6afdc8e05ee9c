// The two documentation pages and the files they load: a fixed table of addresses and files. Nothing else is served.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { API_ROOT } from '../../catalog/route_list.ts'
import { heldFile, once, type StaticFile } from '../http/static_file.ts'

/** The addresses of the two pages. Each page's files are below its address. */
export const PAGES = { explorer: `${API_ROOT}/swaggerui`, reference: `${API_ROOT}/redoc` } as const

const OURS = join(import.meta.dirname, 'pages')
const installed = createRequire(import.meta.url)

const HTML = 'text/html; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Redoc loads its maker's logo from another host. This service replaces the address with an empty image. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'

/** Read on first use and kept in memory. */
const fileAt = (type: string, find: () => string, change?: (text: string) => string) =>
  once(async () => {
    const bytes = await readFile(find())
    return heldFile(type, change === undefined ? bytes : Buffer.from(change(bytes.toString('utf8'))))
  })

/** The files by address, about 3 MB in total. */
export const pageFiles = (): ReadonlyMap<string, () => Promise<StaticFile>> =>
  new Map([
    [PAGES.explorer, fileAt(HTML, () => join(OURS, 'explorer.html'))],
    [`${PAGES.explorer}/explorer.js`, fileAt(JAVASCRIPT, () => join(OURS, 'explorer.js'))],
    [
      `${PAGES.explorer}/swagger-ui-bundle.js`,
      fileAt(JAVASCRIPT, () => installed.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    ],
    [
      `${PAGES.explorer}/swagger-ui.css`,
      fileAt('text/css; charset=utf-8', () => installed.resolve('swagger-ui-dist/swagger-ui.css')),
    ],
    [PAGES.reference, fileAt(HTML, () => join(OURS, 'reference.html'))],
    [`${PAGES.reference}/reference.js`, fileAt(JAVASCRIPT, () => join(OURS, 'reference.js'))],
    [
      `${PAGES.reference}/redoc.standalone.js`,
      fileAt(
        JAVASCRIPT,
        () => installed.resolve('redoc/bundles/redoc.standalone.js'),
        (text) => text.replaceAll(LOGO, NO_LOGO),
      ),
    ],
  ])
