// Writes a charge as header fields: Retry-After (RFC 9110) and RateLimit (draft-ietf-httpapi-ratelimit-headers).
import { BUDGETS } from '../domain/limits/budgets.ts'
import type { Charge } from '../domain/limits/charge.ts'

/** The fields of an allowed charge. */
export const RATE_LIMIT_FIELDS = ['RateLimit-Policy', 'RateLimit'] as const

const WINDOW_SECONDS = 60

/**
 * Returns `Retry-After: 12`, `RateLimit-Policy: "caller";q=120;w=60`, `RateLimit: "caller";r=0;t=12`. An allowed
 * charge has no Retry-After and no `t`. For `ctx.set(rateLimitHeaders(charge))`.
 */
export function rateLimitHeaders({
  budget,
  allowed,
  limit,
  remaining,
  retryAfterMs,
}: Charge): Record<string, string> {
  const { policy } = BUDGETS[budget]
  // Rounded up and at least 1, because a client that reads 0 would retry at once.
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return {
    ...(allowed ? {} : { 'Retry-After': String(seconds) }),
    'RateLimit-Policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${policy}";r=${remaining}${allowed ? '' : `;t=${seconds}`}`,
  }
}
