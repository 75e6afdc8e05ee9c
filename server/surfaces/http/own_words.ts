// Replaces answers that Node would send by itself with an empty body. RFC 9112 section 3.2, RFC 9110 section 10.1.1.
import type { Server } from 'node:http'
import type { Middleware } from 'koa'
import { refuse } from '../../kernel/refusal.ts'

/** Ignores unknown expectations, as the RFC allows. Node handles `100-continue`. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}

/**
 * Refuses a request without a Host header. Needs the server option `requireHostHeader: false`.
 * @throws malformed_request
 */
export const requireHost: Middleware = (ctx, next) => {
  if (ctx.req.headers.host !== undefined || ctx.req.httpVersion === '1.0') return next()
  ctx.set('Connection', 'close')
  throw refuse('malformed_request')
}
