// Gives every request its id, which the answer, the log and the first error carry, and goes on with the client's trace.
import { METHODS } from 'node:http'
import type { Middleware } from 'koa'
import { readTraceParent, withinRequest } from '../../kernel/request_scope.ts'
import { step } from '../../kernel/step.ts'

export const REQUEST_ID = 'X-Request-Id'

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

/** Must come first, so that everything that a request causes is inside. */
export const openRequest: Middleware = (ctx, next) => {
  const { traceparent } = ctx.req.headers
  const parent = typeof traceparent === 'string' ? readTraceParent(traceparent) : undefined
  return withinRequest(parent, (scope) => {
    ctx.res.setHeader(REQUEST_ID, scope.id)
    return step(
      'request',
      async (made) => {
        await next()
        const { status } = ctx
        made.title = ctx.state.operation
        made.facts['http.response.status_code'] = status
        made.failed = status >= 500
      },
      {
        scope,
        describe: () => ({
          facts: {
            'http.request.method': KNOWN_METHODS.has(ctx.method) ? ctx.method : '_OTHER',
            'pharos.request_id': scope.id,
          },
        }),
      },
    )
  })
}
