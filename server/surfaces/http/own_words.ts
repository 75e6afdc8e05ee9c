// Replaces answers that Node would send by itself with an empty body. RFC 9112 section 3.2, RFC 9110 section 10.1.1.
import type { IncomingMessage, Server } from 'node:http'
import type { Middleware } from 'koa'
import { refuse } from '../../kernel/refusal.ts'

/** Ignores unknown expectations, as the RFC allows. Node handles `100-continue`. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}

/**
 * Refuses a request without a Host header, or with two: a proxy may have read the other one. Needs the server option
 * `requireHostHeader: false`.
 * @throws malformed_request
 */
export const requireHost: Middleware = (ctx, next) => {
  const hosts = hostsOf(ctx.req)
  if (hosts === 1 || (hosts === 0 && ctx.req.httpVersion === '1.0')) return next()
  ctx.set('Connection', 'close')
  throw refuse('malformed_request')
}

/** Node's own record of the fields keeps the first Host alone. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
