// What browsers are told with every answer: a strict content policy for pages, no sniffing, no framing, no referrer, no
// way back from https (RFC 6797), and what other origins may do.
import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import { NO_ADDRESS } from '../../admission/client_address.ts'
import { type AddressRanges, canonicalAddress } from '../../kernel/addresses.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import type { House } from './house.ts'

/** Nothing is loaded from other hosts. The stream may use WebSockets of our own origin. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** @param exceptions directives that replace the usual ones for a page that needs them */
export const pageHeaders = (exceptions: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'Content-Security-Policy': Object.entries({ ...POLICY, ...exceptions })
    .map((directive) => directive.join(' '))
    .join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

const PAGE_HEADERS = pageHeaders()

/** Paths that return data to programs. All other paths may return a page. */
const DATA = /^\/(api\/json|gql|health|mcp|stamp|calendar|\.well-known)(\/|$)/

/** Applications may open these in a popup, whose opener browsers forget when one answer on its way isolates itself. */
const IN_POPUPS = /^\/oauth(\/|$)/

/** For this host alone. What else lies below its name is not ours. */
const STAY_WITH_HTTPS = 'max-age=31536000'

/**
 * It makes no promise of its own, because every request passes here.
 * @param trusted proxies whose word for how a request came is taken
 */
export const securityHeaders =
  ({ base, trusted }: Pick<House, 'base'> & { readonly trusted: AddressRanges }): Middleware =>
  (ctx, next) => {
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    if (cameByHttps(ctx.req, trusted) && base().startsWith('https:'))
      ctx.res.setHeader('Strict-Transport-Security', STAY_WITH_HTTPS)
    if (!DATA.test(ctx.path)) ctx.set(PAGE_HEADERS)
    if (IN_POPUPS.test(ctx.path)) ctx.remove('Cross-Origin-Opener-Policy')
    return next()
  }

/** The first of several proxies names the way on which the client came. */
function cameByHttps({ headers, socket }: IncomingMessage, trusted: AddressRanges): boolean {
  const header = headers['x-forwarded-proto']
  const [first = ''] = typeof header === 'string' ? header.split(',', 1) : []
  if (first.trim().toLowerCase() !== 'https') return false
  return trusted.has(canonicalAddress(socket.remoteAddress ?? '') ?? NO_ADDRESS)
}

const OPEN_PATHS = /^\/(api\/json|gql|mcp|oauth\/token|oauth\/register|log|stamp|calendar|\.well-known)(\/|$)/

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

/**
 * API clients in browsers may come from any origin, never with cookies. A preflight is answered here, because it carries
 * no credential.
 */
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
