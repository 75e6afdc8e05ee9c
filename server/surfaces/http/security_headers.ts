// Security headers of every answer: a strict content policy for pages, no sniffing, no framing, no referrer.
import type { Middleware } from 'koa'

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
const DATA = /^\/(api\/json|gql|health|mcp|\.well-known)(\/|$)/

/** Applications may open these in a popup, whose opener browsers forget when one answer on its way isolates itself. */
const IN_POPUPS = /^\/oauth(\/|$)/

/** It makes no promise of its own, because every request passes here. */
export const securityHeaders: Middleware = (ctx, next) => {
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
  if (!DATA.test(ctx.path)) ctx.set(PAGE_HEADERS)
  if (IN_POPUPS.test(ctx.path)) ctx.remove('Cross-Origin-Opener-Policy')
  return next()
}
