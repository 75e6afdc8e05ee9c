// Serves the document and its two pages, which load a fixed table of files. These are the only addresses below
// /api/json that need no credential. Requests are still charged to the address.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { type Door, requireRoom } from '../../admission/door.ts'
import { API_ROOT, type Catalog } from '../../catalog/catalog.ts'
import { once } from '../../kernel/lru.ts'
import { pageHeaders } from '../http/security_headers.ts'
import { heldFile, moveTo, requireReading, type StaticFile, sendStatic } from '../http/static_file.ts'
import { buildOpenApi } from './build_openapi.ts'
import type { StatedCeilings } from './components.ts'

/** The addresses of the two pages. Each page's files are below its address. */
const PAGES = { explorer: `${API_ROOT}/swaggerui`, reference: `${API_ROOT}/redoc` } as const

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
const pageFiles = (): ReadonlyMap<string, () => Promise<StaticFile>> =>
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

const DOCUMENT = `${API_ROOT}/open_api`
/** The addresses of the pages with a slash that they do not have. */
const SLASHED = new Map(Object.values(PAGES).map((address) => [`${address}/`, address]))

/**
 * The usual headers, with two exceptions: both pages use inline styles, and the reference searches in a worker that
 * it creates from a blob. Scripts must still be ours, and nothing is loaded from other hosts.
 */
const PAGE_HEADERS = pageHeaders({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': 'blob:' })

export function serveOpenApi({
  catalog,
  base,
  version,
  ceilings,
  door,
}: {
  readonly catalog: Catalog
  /** The public origin. It is available once the server listens. */
  readonly base: () => string
  /** The package's version. */
  readonly version: string
  readonly ceilings: StatedCeilings
  readonly door: Pick<Door, 'address'>
}): Middleware {
  const files = pageFiles()
  const document = once(() =>
    heldFile(
      'application/json',
      Buffer.from(JSON.stringify(buildOpenApi(catalog, base(), version, ceilings))),
    ),
  )
  const answer = async (ctx: Koa.Context): Promise<void> => {
    const { path } = ctx
    requireRoom(ctx, await door.address(ctx))
    requireReading(ctx)
    const page = SLASHED.get(path)
    if (page !== undefined) return moveTo(ctx, page)
    const file = path === DOCUMENT ? document() : await files.get(path)?.()
    if (file === undefined) throw new Error(`${path} has no file.`)
    if (Object.values<string>(PAGES).includes(path)) ctx.set(PAGE_HEADERS)
    await sendStatic(ctx, file)
  }
  return (ctx, next) => {
    const { path } = ctx
    return path === DOCUMENT || files.has(path) || SLASHED.has(path) ? answer(ctx) : next()
  }
}
