// Counts and times requests, and serves all metrics at /metrics.
import { createHash, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { isLoopback } from '../../kernel/addresses.ts'
import type { Log } from '../../kernel/log.ts'
import { type Metrics, type MetricsText, type Snapshot, scrapeTogether } from '../../kernel/metrics.ts'
import { REFUSALS } from '../../kernel/refusal.ts'

declare module 'koa' {
  interface DefaultState {
    /**
     * The name of what was asked for. The surface sets it, from a closed set of names: what the client wrote is never
     * one by itself.
     */
    operation?: string
  }
}

/** The surface by path prefix. Other paths count as the console. */
const SURFACES = [
  ['/api/json', 'jsonapi'],
  ['/gql', 'graphql'],
  ['/mcp', 'agent'],
  ['/oauth', 'oauth'],
  ['/log', 'log'],
  ['/docs', 'docs'],
  ['/.well-known', 'well_known'],
  ['/health', 'operations'],
  ['/metrics', 'operations'],
] as const

/** Counts and times a request when it was answered, or could not be. */
export function countRequest(
  metrics: Pick<Metrics, 'count' | 'observe'>,
  ctx: Koa.Context,
  { status, ms }: { readonly status: number; readonly ms: number },
): void {
  const surface = surfaceOf(ctx.req.url ?? '')
  const { credential = 'none', operation = 'none' } = ctx.state
  metrics.count('pharos_http_requests_total', {
    surface,
    operation,
    status: `${Math.floor(status / 100)}xx`,
    credential,
  })
  if (codesOf(ctx).includes('internal')) metrics.count('pharos_http_faults_total', {})
  const code = firstCode(ctx)
  if (code !== undefined) metrics.count('pharos_http_refusals_total', { surface, credential, code })
  metrics.observe('pharos_http_request_seconds', { surface, operation }, ms / 1_000)
}

/** What a surface noted for the log line. */
function codesOf({ state }: Koa.Context): readonly unknown[] {
  const codes: unknown = state.answered?.codes
  return Array.isArray(codes) ? codes : []
}

/** Only codes of our table are label values, so that their number is bounded. */
function firstCode(ctx: Koa.Context): string | undefined {
  const [first] = codesOf(ctx)
  if (first === undefined) return undefined
  return typeof first === 'string' && Object.hasOwn(REFUSALS, first) ? first : 'other'
}

function surfaceOf(target: string): string {
  const found = SURFACES.find(
    ([prefix]) => target.startsWith(prefix) && /^[/?]?$/.test(target.charAt(prefix.length)),
  )
  return found?.[1] ?? 'console'
}

interface MetricsRoute {
  readonly metrics: Metrics
  /**
   * When set, the token is always required, because a proxy on the same machine may forward
   * requests to a loopback address.
   */
  readonly token: string | undefined
  /**
   * The address that the server listens on. Without a token, metrics are readable only when it is a loopback address.
   */
  readonly host: string
  /** The metrics of the other processes of this server. One answer shows all of them together. */
  readonly others?: (() => Promise<readonly Snapshot[]>) | undefined
  readonly log: Log
}

/** Answers `GET /metrics` with Prometheus text, or 401 when the request may not read it. */
export function serveMetrics({ metrics, token, host, others, log }: MetricsRoute): Middleware {
  const expected = token === undefined ? undefined : digest(token)
  const open = expected === undefined && isLoopback(host)
  const mayRead = (header: string): boolean => {
    if (expected === undefined) return open
    const given = BEARER.exec(header)?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
  const onError = (err: unknown) => log.warn({ err }, 'metrics.not_read')
  const scrape = async (): Promise<MetricsText> => {
    if (others === undefined) return metrics.scrape(onError)
    const [own, theirs] = await Promise.all([metrics.snapshot(onError), others()])
    return scrapeTogether([own, ...theirs])
  }
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || ctx.path !== '/metrics') return next()
    ctx.set('Cache-Control', 'no-store')
    if (!mayRead(ctx.get('authorization'))) {
      ctx.status = 401
      ctx.set('WWW-Authenticate', 'Bearer')
      ctx.body = 'Unauthorized'
      return
    }
    const { type, text } = await scrape()
    ctx.type = type
    ctx.body = text
  }
}

const BEARER = /^bearer +([\x21-\x7e]{1,256}) *$/i

/** Digests have a fixed length, so comparing them reveals nothing about the length of the token. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
