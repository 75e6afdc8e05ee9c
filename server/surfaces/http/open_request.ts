// Gives every request its id, which the answer, the log and the first error carry, and reads the trace it is part of.
import type { Middleware } from 'koa'
import { readTraceParent, withinRequest } from '../../kernel/request_scope.ts'

export const REQUEST_ID = 'X-Request-Id'

/** Must come first, so that everything that a request causes is inside. */
export const openRequest: Middleware = (ctx, next) => {
  const { traceparent } = ctx.req.headers
  return withinRequest(
    typeof traceparent === 'string' ? readTraceParent(traceparent) : undefined,
    async ({ id }) => {
      ctx.res.setHeader(REQUEST_ID, id)
      await next()
    },
  )
}
