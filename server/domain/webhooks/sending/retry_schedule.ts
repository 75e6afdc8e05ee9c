// The schedule of retries.
import { randomInt } from 'node:crypto'

/** Number of attempts, first wait, growth factor, longest wait, and random spread in both directions. */
export const RETRIES = {
  attempts: 12,
  firstMs: 15_000,
  factor: 3,
  longestMs: 12 * 3_600_000,
  spread: 0.2,
} as const

/** Returns a number from 0 to 1. */
export type Chance = () => number

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
