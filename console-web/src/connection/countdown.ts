// When the next beacon is due, and which share of the present interval has passed. Pure arithmetic on the
// caller's numbers.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { clockface, duration } from '../ui/format.ts'
import type { Connection } from './beacon_stream.ts'

export type Interval = { readonly ms: number; readonly source: 'server' | 'observed' | 'assumed' }

const ASSUMED_INTERVAL_MS = 60_000

/**
 * The service makes blocks at boundaries aligned to the clock, and a late block does not move the next
 * boundary. So with the server's own interval the next beacon is due at the boundary after the head. An
 * observed interval gives no alignment.
 */
export const countdown = (headAt: number, interval: Interval, now: number) => {
  const start = interval.source === 'server' ? Math.floor(headAt / interval.ms) * interval.ms : headAt
  const dueAt = start + interval.ms
  const from = Math.min(headAt, dueAt - 1)
  const remainingMs = Math.min(inSteps(Math.max(0, dueAt - now)), dueAt - from)
  return {
    dueAt,
    /** Never negative. When it is 0, `overdueMs` grows. Above ten seconds it goes down in steps of five. */
    remainingMs,
    overdueMs: Math.max(0, now - dueAt),
    /** 0 just after a beacon, 1 when the next is due. */
    progress: 1 - remainingMs / (dueAt - from),
  }
}

/** Each change makes the browser compose a frame, which is most of what an idle page costs. */
const inSteps = (ms: number): number => (ms <= 10_000 ? ms : Math.ceil(ms / 5_000) * 5_000)

/** The server's own interval if known, otherwise the median gap of the newest beacons, otherwise a minute. */
export const learnInterval = (serverMs: number | null, rows: readonly Beacon[]): Interval => {
  if (serverMs !== null && serverMs > 0) return { ms: serverMs, source: 'server' }
  const times = rows.slice(0, 22).map((row) => Date.parse(row.timestamp))
  const gaps = times
    .slice(1)
    .map((time, index) => (times[index] ?? time) - time)
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b)
  const median = gaps[Math.floor(gaps.length / 2)]
  return median === undefined || gaps.length < 3
    ? { ms: ASSUMED_INTERVAL_MS, source: 'assumed' }
    : { ms: Math.max(1_000, Math.round(median / 1_000) * 1_000), source: 'observed' }
}

/** An interval in words, exact: 250 ms, 1.5 s, 10 s, 1 min, 1 min 30 s, 1 h. */
export const intervalWords = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`
  const parts = [
    [Math.floor(ms / 3_600_000), 'h'],
    [Math.floor(ms / 60_000) % 60, 'min'],
    [Math.floor(ms / 1_000) % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .slice(0, 2)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

type NextWords = {
  readonly words: string
  /** `late`: no beacon for more than two intervals, so the head is stale. */
  readonly tone: 'due' | 'late' | 'unknown'
}

/** A block may be a few seconds late, because a server makes an overdue block only after 3 s. */
export const lateAfterMs = (intervalMs: number): number => intervalMs * 2 + 5_000

/** A server makes an overdue block after 3 s, and looks every 2 s. */
const OVERDUE_AFTER_MS = 6_000

/** When the next beacon is due, or for how long there was none. Says nothing about a service that is not heard. */
export const nextWords = (
  headAt: number,
  interval: Interval,
  isConnected: boolean,
  now: number,
): NextWords => {
  if (!isConnected) return { words: 'not connected', tone: 'unknown' }
  const sinceMs = Math.max(0, now - headAt)
  if (interval.source !== 'assumed' && sinceMs > lateAfterMs(interval.ms))
    return {
      words: `no block for ${duration(sinceMs)}; expected every ${intervalWords(interval.ms)}`,
      tone: 'late',
    }
  if (interval.source === 'assumed') return { words: 'the next is awaited', tone: 'unknown' }
  // Shown once a second, so a shorter interval has no countdown.
  if (interval.ms < 2_000) return { words: `next within ${intervalWords(interval.ms)}`, tone: 'due' }
  // The clock of the page is up to a second older than a beacon that has just come.
  const { remainingMs, overdueMs } = countdown(headAt, interval, Math.max(now, headAt))
  if (overdueMs > OVERDUE_AFTER_MS)
    return {
      words: `overdue by ${duration(overdueMs)}; expected every ${intervalWords(interval.ms)}`,
      tone: 'late',
    }
  return { words: remainingMs === 0 ? 'next is due now' : `next in ${clockface(remainingMs)}`, tone: 'due' }
}

/** `stale`: connected, and no beacon has come for more than two intervals. */
export type Status = Connection['phase'] | 'stale'

type StatusFacts = {
  readonly phase: Connection['phase']
  /** Time of the newest beacon in the list, in server time. Null before the first. */
  readonly headAt: number | null
  readonly intervalMs: number
  /** Server time now. */
  readonly now: number
}

export const deriveStatus = ({ phase, headAt, intervalMs, now }: StatusFacts): Status =>
  phase === 'live' && headAt !== null && now - headAt > lateAfterMs(intervalMs) ? 'stale' : phase
