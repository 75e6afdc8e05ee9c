// Allows cross-origin requests from API clients in browsers: from any origin, never with cookies.
import type { Middleware } from 'koa'
import { setHeaders } from '../../kernel/set_headers.ts'

const OPEN_PATHS = /^\/(api\/json|gql|mcp|oauth\/token|oauth\/register|log|\.well-known)(\/|$)/

const EXPOSED =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Location, ETag, Content-Range'
const ALLOWED_HEADERS = [
  ...['Authorization', 'Content-Type', 'Accept', 'Tenant', 'Idempotency-Key', 'If-None-Match', 'Range'],
  ...['traceparent', 'tracestate'],
  // Clients of the agent tool server send these.
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'],
].join(', ')
const PREFLIGHT_SECONDS = '600'

/** Sent with every answer below these paths, and with answers to requests whose path could not be read. */
export const OPEN_TO_ALL = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
} as const

/** Answers a preflight here, because it carries no credential. */
export const cors: Middleware = (ctx, next) => {
  if (!OPEN_PATHS.test(ctx.path)) return next()
  setHeaders(ctx.res, OPEN_TO_ALL)
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next()
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  ctx.set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
  ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS)
  ctx.status = 204
  return undefined
}
