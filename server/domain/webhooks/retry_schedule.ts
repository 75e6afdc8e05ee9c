// When a delivery that did not get through is tried again.
import { randomInt } from 'node:crypto'

/** Attempts in all; the wait after the first, how it grows, the longest, and how far chance moves it either way. */
export const RETRIES = {
  attempts: 12,
  firstMs: 15_000,
  factor: 3,
  longestMs: 12 * 3_600_000,
  spread: 0.2,
} as const

/** A number from 0 to 1. */
export type Chance = () => number

export const chance: Chance = () => randomInt(1_000_001) / 1_000_000

/**
 * Milliseconds to wait after the n-th attempt: 15 s, 45 s, 2 min 15 s … 12 h, a fifth more or less, so that what failed
 * together does not come back together. What the receiver asks for lengthens it, to 12 h at most.
 */
export function waitAfter(attempt: number, retryAfterMs: number, draw: Chance = chance): number {
  const { firstMs, factor, longestMs, spread } = RETRIES
  const planned = Math.min(firstMs * factor ** (attempt - 1), longestMs)
  const spreadOut = planned * (1 + spread * (2 * draw() - 1))
  return Math.round(Math.max(spreadOut, Math.min(retryAfterMs, longestMs)))
}

/** Retry-After (RFC 9110, 10.2.3) in milliseconds from now: whole seconds or an HTTP date; 0 for anything else. */
export function readRetryAfter(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, RETRIES.longestMs)
  if (!HTTP_DATE.test(text)) return 0
  // The oldest of the three forms names no zone, and means this one.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, Math.min(at - nowMs, RETRIES.longestMs))
}

/** The three forms of RFC 9110, 5.6.7, by their weekday; a bare number or an ISO date is none of them. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/
