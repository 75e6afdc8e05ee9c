// What Node would answer by itself, with an empty body, is ours to answer. RFC 9112 section 3.2, RFC 9110 section 10.1.1.
import type { Server } from 'node:http'
import type { Middleware } from 'koa'
import { refuse } from '../../kernel/refusal.ts'

/** An expectation that nobody here knows is left aside, as the RFC allows; `100-continue` is met by Node. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}

/** With `requireHostHeader` off. @throws malformed_request */
export const requireHost: Middleware = (ctx, next) => {
  if (ctx.req.headers.host !== undefined || ctx.req.httpVersion === '1.0') return next()
  ctx.set('Connection', 'close')
  throw refuse('malformed_request')
}
