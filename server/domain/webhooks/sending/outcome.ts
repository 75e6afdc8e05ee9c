// Decides the outcome of an attempt from the status line, and when the next one follows. The body does not matter.
import { randomInt } from 'node:crypto'
import type { DeliveryStatus } from '../deliveries/delivery.ts'

/** Number of attempts, first wait, growth factor, longest wait, and random spread in both directions. */
export const RETRIES = {
  attempts: 12,
  firstMs: 15_000,
  factor: 3,
  longestMs: 12 * 3_600_000,
  spread: 0.2,
} as const

/** Returns a number from 0 to 1. */
type Chance = () => number

const chance: Chance = () => randomInt(1_000_001) / 1_000_000

/**
 * Milliseconds to wait after the n-th attempt: 15 s, 45 s, 2 min 15 s … 12 h, changed at random by up to a fifth, so
 * that deliveries that failed together do not return together. Retry-After can make the wait longer, up to 12 h.
 */
export function waitAfter(attempt: number, retryAfterMs: number, draw: Chance = chance): number {
  const { firstMs, factor, longestMs, spread } = RETRIES
  const planned = Math.min(firstMs * factor ** (attempt - 1), longestMs)
  const spreadOut = planned * (1 + spread * (2 * draw() - 1))
  return Math.round(Math.max(spreadOut, Math.min(retryAfterMs, longestMs)))
}

/**
 * Reads Retry-After (RFC 9110, 10.2.3) as milliseconds from now. It is a number of seconds or an HTTP date. Returns 0
 * for anything else.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, RETRIES.longestMs)
  if (!HTTP_DATE.test(text)) return 0
  // The oldest of the three date forms has no zone and means GMT.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, Math.min(at - nowMs, RETRIES.longestMs))
}

/** Recognises the three forms of RFC 9110, 5.6.7 by their weekday. A bare number or an ISO date does not match. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/

/** The result of the call before it is judged. */
export type Happening =
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly retryAfterMs: number }
  | { readonly kind: 'unreachable'; readonly error: string }
  /** The service must not call this host. */
  | { readonly kind: 'blocked'; readonly error: string }
  /** What is stored for the endpoint does not open. The owner may give it again before the next attempt. */
  | { readonly kind: 'unopened'; readonly error: string }
  /** The endpoint's owner must not see this event. */
  | { readonly kind: 'withheld'; readonly error: string }

export interface Outcome {
  readonly status: DeliveryStatus
  readonly httpStatus: number | null
  readonly error: string | null
  /** Milliseconds until the next attempt. Null when there is none. */
  readonly waitMs: number | null
}

/** Timeouts and temporary refusals are tried again. Permanent refusals and invalid statuses are not. */
const isTransient = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status <= 599)
/** Retry-After is used only with these statuses. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503])

/**
 * @param attempt the number of this attempt, from 1
 * @param most the maximum number of attempts
 */
export function judgeAttempt(
  happening: Happening,
  attempt: number,
  most: number = RETRIES.attempts,
): Outcome {
  const again = (httpStatus: number | null, error: string, retryAfterMs = 0): Outcome =>
    attempt < most
      ? { status: 'pending', httpStatus, error, waitMs: waitAfter(attempt, retryAfterMs) }
      : { status: 'failed', httpStatus, error, waitMs: null }
  switch (happening.kind) {
    case 'answered': {
      const { httpStatus, retryAfterMs } = happening
      if (httpStatus >= 200 && httpStatus < 300)
        return { status: 'success', httpStatus, error: null, waitMs: null }
      const error = wordsOf(httpStatus)
      if (!isTransient(httpStatus)) return { status: 'cancelled', httpStatus, error, waitMs: null }
      return again(httpStatus, error, ASKS_TO_WAIT.has(httpStatus) ? retryAfterMs : 0)
    }
    case 'unreachable':
    case 'unopened':
      return again(null, happening.error)
    case 'blocked':
    case 'withheld':
      return { status: 'cancelled', httpStatus: null, error: happening.error, waitMs: null }
    default:
      return happening satisfies never
  }
}

/** RFC 9110, 15: a final answer has a status from 200 to 599. */
const wordsOf = (status: number): string =>
  status >= 200 && status <= 599
    ? `the receiver answered ${status}`
    : `the receiver answered ${String(status).padStart(3, '0')}, which ends no request of HTTP`
