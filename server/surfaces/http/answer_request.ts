// What surrounds every request: its id, its step of a trace, the answer to its errors, its log line and its count. One
// layer for all of them, because each layer costs every request.
import { METHODS } from 'node:http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { boundStall } from '../../admission/unread_answer.ts'
import { fewLines } from '../../kernel/few_lines.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type RequestScope, readTraceParent, withinRequest } from '../../kernel/request_scope.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import { step } from '../../kernel/step.ts'
import { OPEN_TO_ALL } from './cors.ts'
import { countRequest } from './metrics.ts'
import { pathOf, requestLog } from './request_log.ts'
import { leaveUnread } from './unread_body.ts'

export const REQUEST_ID = 'X-Request-Id'

export interface Surroundings {
  readonly metrics: Pick<Metrics, 'count' | 'observe'>
  readonly log: Log
  /** Answers an error that a surface did not answer itself. It may throw the error again. */
  readonly answerError: (ctx: Koa.Context, error: unknown) => void
}

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

/** Must come first, so that everything that a request causes is inside. */
export function answerRequest(surroundings: Surroundings): Middleware {
  const note = requestLog(surroundings.log)
  const few = fewLines(surroundings.log)
  return (ctx, next) => {
    const { traceparent } = ctx.req.headers
    const parent = typeof traceparent === 'string' ? readTraceParent(traceparent) : undefined
    return withinRequest(parent, (scope) => {
      ctx.res.setHeader(REQUEST_ID, scope.id)
      return step(
        'request',
        async (made) => {
          await answered(ctx, next, surroundings, note)
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

/** An error that remains has an incomplete answer. It is counted as a fault, and it has no log line. */
async function answered(
  ctx: Koa.Context,
  next: Koa.Next,
  { metrics, answerError }: Surroundings,
  note: ReturnType<typeof requestLog>,
): Promise<void> {
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

/**
 * The request target is not a valid address, such as `http://[/`; no surface could read it. @throws malformed_request
 */
function refuseTarget({ res }: Koa.Context): never {
  setHeaders(res, { ...OPEN_TO_ALL, 'X-Content-Type-Options': 'nosniff' })
  throw refuse('malformed_request', { detail: 'the request target is no address' })
}
