// Answers each request: its id, its log line, its metrics, the error document of what a handler throws, and the end of a
// connection whose client takes nothing of its answer.
import { METHODS } from 'node:http'
import { Readable } from 'node:stream'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { fewLines, type Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { REFUSALS, refuse } from '../../kernel/refusal.ts'
import { type RequestScope, readTraceParent, withinRequest } from '../../kernel/request_scope.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import { step } from '../../kernel/step.ts'
import { type AnsweredProblem, errorDocument, refuseWith } from './error_document.ts'
import type { House } from './house.ts'
import { answerInsufficientScope, InsufficientScope } from './identify.ts'
import { leaveUnread } from './read_body.ts'
import { OPEN_TO_ALL } from './security_headers.ts'

declare module 'koa' {
  interface DefaultState {
    /** Further members of the log line. The code that answers sets them. They must never contain a secret. */
    answered?: Record<string, unknown>
    /**
     * The name of what was asked for. The surface sets it, from a closed set of names: what the client wrote is never
     * one by itself.
     */
    operation?: string
  }
}

/**
 * Logs one wide line per answered request. Those of health checks are for debugging only while all is well; of the others
 * of them, and of refusals, which anybody can cause, only a few a second are told.
 */
function requestLog(log: Log): (ctx: Koa.Context, ms: number) => void {
  const few = fewLines(log)
  return (ctx, ms) => {
    const path = pathOf(ctx)?.slice(0, 200)
    const duration_ms = Math.round(ms * 10) / 10
    const members = { method: ctx.method, path, status: ctx.status, duration_ms, ...ctx.state.answered }
    if (isRoutine(ctx, path)) log.debug(members, MESSAGE)
    else if (isAnybodys(ctx) || isHealth(path)) few(members, MESSAGE)
    else log.info(members, MESSAGE)
  }
}

const MESSAGE = 'request.answered'

const isHealth = (path: string | undefined): boolean => path === '/health/live' || path === '/health/ready'

/** A balancer asks several times a second, and its lines would push all others out of a log of limited size. */
const isRoutine = ({ method, status }: Koa.Context, path: string | undefined): boolean =>
  status === 200
    ? isHealth(path)
    : // A preflight has no credential and no budget.
      status === 204 && method === 'OPTIONS'

/** Refused to somebody who showed no valid credential, or to anybody for being one too many. */
const isAnybodys = ({ status, state: { credential = 'none' } }: Koa.Context): boolean =>
  status === 429 || (status >= 400 && status < 500 && (credential === 'none' || credential === 'refused'))

/**
 * Returns undefined when the request target is not a valid address, such as `http://[/`; reading `path` would throw.
 */
function pathOf(ctx: Koa.Context): string | undefined {
  try {
    return ctx.path
  } catch {
    return undefined
  }
}

interface ErrorForm {
  /** Paths below this prefix use this format. */
  readonly prefix: string
  readonly contentType?: string
  readonly body: (problems: readonly AnsweredProblem[]) => object
}

/**
 * A missing scope is told in a header alone, as the API does.
 * @param forms the first form with a matching prefix applies; other paths get a JSON:API error document as plain JSON
 * @throws the error when the head of the answer was sent, which ends the connection: the client sees that the answer is
 * incomplete
 */
export const answerErrors =
  (forms: readonly ErrorForm[], { base, log }: Pick<House, 'base'> & { readonly log: Log }) =>
  (ctx: Koa.Context, error: unknown): void => {
    if (ctx.headerSent) throw error
    if (error instanceof InsufficientScope) {
      answerInsufficientScope(ctx, error, { resource: 'api', base })
      return
    }
    const problems = refuseWith(ctx, error, log)
    const path = pathOf(ctx)
    const form = forms.find(({ prefix }) => path === prefix || path?.startsWith(`${prefix}/`))
    const { contentType = 'application/json', body } = form ?? PLAIN
    ctx.set('Content-Type', contentType)
    ctx.vary('Accept')
    ctx.set('Cache-Control', 'no-store')
    ctx.body = JSON.stringify(body(problems))
  }

const PLAIN: Omit<ErrorForm, 'prefix'> = Object.freeze({
  body: (problems: readonly AnsweredProblem[]) => errorDocument(problems, ''),
})

export const REQUEST_ID = 'X-Request-Id'

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

/** Must come first, so that everything that a request causes is inside. */
export function answerRequest({
  metrics,
  log,
  answerError,
}: {
  readonly metrics: Pick<Metrics, 'count' | 'observe'>
  readonly log: Log
  /** Answers an error that a surface did not answer itself. It may throw the error again. */
  readonly answerError: (ctx: Koa.Context, error: unknown) => void
}): Middleware {
  const note = requestLog(log)
  const few = fewLines(log)
  /** An error that remains has an incomplete answer. It is counted as a fault, and it has no log line. */
  const answered = async (ctx: Koa.Context, next: Koa.Next): Promise<void> => {
    const began = performance.now()
    let status = 500
    try {
      if (pathOf(ctx) === undefined) refuseTarget(ctx)
      else await next()
      status = ctx.status
    } catch (error) {
      answerError(ctx, error)
      status = ctx.status
    } finally {
      countRequest(metrics, ctx, { status, ms: performance.now() - began })
    }
    note(ctx, performance.now() - began)
    leaveUnread(ctx)
  }
  return (ctx, next) => {
    const { traceparent } = ctx.req.headers
    const parent = typeof traceparent === 'string' ? readTraceParent(traceparent) : undefined
    return withinRequest(parent, (scope) => {
      ctx.res.setHeader(REQUEST_ID, scope.id)
      return step(
        'request',
        async (made) => {
          await answered(ctx, next)
          boundStall(ctx, () => few({ request_id: scope.id }, 'answer.not_taken'))
          const { status } = ctx
          made.title = ctx.state.operation
          made.facts['http.response.status_code'] = status
          made.failed = status >= 500
        },
        { scope, describe: () => ({ facts: factsOf(ctx, scope) }) },
      )
    })
  }
}

const factsOf = ({ method }: Koa.Context, { id }: RequestScope) => ({
  'http.request.method': KNOWN_METHODS.has(method) ? method : '_OTHER',
  'pharos.request_id': id,
})

/**
 * The request target is not a valid address, such as `http://[/`; no surface could read it. @throws malformed_request
 */
function refuseTarget({ res }: Koa.Context): never {
  setHeaders(res, { ...OPEN_TO_ALL, 'X-Content-Type-Options': 'nosniff' })
  throw refuse('malformed_request', { detail: 'the request target is no address' })
}

/** The surface by path prefix. Other paths count as the console. */
const SURFACES = [
  ['/api/json', 'jsonapi'],
  ['/gql', 'graphql'],
  ['/mcp', 'agent'],
  ['/oauth', 'oauth'],
  ['/log', 'log'],
  ['/docs', 'docs'],
  ['/stamp', 'doors'],
  ['/calendar', 'doors'],
  ['/tsa', 'doors'],
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

/** Milliseconds without one byte taken. Shorter than others wait for a turn. */
const STALL_MS = 5_000

/** Bytes. The operating system takes a smaller answer at once. */
const LARGE = 65_536

/**
 * Cuts the connection of a client that takes nothing of a large answer, which keeps its memory, and the turn of its
 * caller, from others. Call it when the answer is known. From then on the connection is silent only when its client does
 * not read.
 * @param onCut called when the connection is cut
 */
export function boundStall(ctx: Koa.Context, onCut: () => void, ms: number = STALL_MS): void {
  if (!isLarge(ctx)) return
  const { res } = ctx
  res.setTimeout(ms, () => {
    if (res.destroyed) return
    onCut()
    res.destroy()
  })
}

/** A stream without a length is written as things happen, and may be silent. */
function isLarge({ body, response }: Koa.Context): boolean {
  if (body instanceof Readable) return Number(response.get('Content-Length')) > LARGE
  return (typeof body === 'string' || Buffer.isBuffer(body)) && body.length > LARGE
}
