// Serves the document and its two pages. These are the only addresses below /api/json that need no credential.
// Requests are still charged to the address.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { type Door, requireRoom } from '../../admission/door.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { API_ROOT } from '../../catalog/route_list.ts'
import type { Log } from '../../kernel/log.ts'
import { errorDocument, JSON_API, problemsOf, statusOf } from '../http/error_document.ts'
import { pageHeaders } from '../http/security_headers.ts'
import { heldFile, once, sendStatic } from '../http/static_file.ts'
import { buildOpenApi } from './build_openapi.ts'
import type { StatedCeilings } from './components.ts'
import { PAGES, pageFiles } from './page_files.ts'

interface Documented {
  readonly catalog: Catalog
  /** The public origin. It is available once the server listens. */
  readonly base: () => string
  /** The package's version. */
  readonly version: string
  readonly ceilings: StatedCeilings
  readonly door: Pick<Door, 'address'>
  readonly log: Log
}

const DOCUMENT = `${API_ROOT}/open_api`
/** The addresses of the pages with a slash that they do not have. */
const SLASHED = new Map(Object.values(PAGES).map((address) => [`${address}/`, address]))
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * The usual headers, with two exceptions: both pages use inline styles, and the reference searches in a worker that
 * it creates from a blob. Scripts must still be ours, and nothing is loaded from other hosts.
 */
const PAGE_HEADERS = pageHeaders({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': 'blob:' })

export function serveOpenApi({ catalog, base, version, ceilings, door, log }: Documented): Middleware {
  const files = pageFiles()
  const document = once(() =>
    heldFile(
      'application/json',
      Buffer.from(JSON.stringify(buildOpenApi({ catalog, base: base(), version, ceilings }))),
    ),
  )
  const answer = async (ctx: Koa.Context): Promise<void> => {
    const { path } = ctx
    const page = SLASHED.get(path)
    try {
      requireRoom(ctx, await door.address(ctx))
    } catch (error) {
      return refused(ctx, error, log)
    }
    if (!READS.has(ctx.method)) {
      ctx.status = 405
      ctx.set('Allow', 'GET, HEAD')
      ctx.body = 'Method Not Allowed'
      return
    }
    if (page !== undefined) {
      ctx.status = 308
      ctx.set('Location', page)
      ctx.body = 'Permanent Redirect'
      return
    }
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

function refused(ctx: Koa.Context, error: unknown, log: Log): void {
  const problems = problemsOf(error, log)
  ctx.status = statusOf(problems)
  ctx.body = JSON.stringify(errorDocument(problems, ''))
  ctx.set('Content-Type', JSON_API)
  ctx.set('Vary', 'Accept')
  ctx.state.answered = { codes: problems.map(({ code }) => code), error_id: problems[0]?.id }
}
