// When the next beacon is due, and which share of the present interval has passed. Pure arithmetic on the
// caller's numbers.
import type { Beacon } from '../../../shared/wire/console_stream.ts'

export type Interval = { readonly ms: number; readonly source: 'server' | 'observed' | 'assumed' }
export type Countdown = {
  readonly dueAt: number
  /** Never negative. When it is 0, `overdueMs` grows. */
  readonly remainingMs: number
  readonly overdueMs: number
  /** 0 just after a beacon, 1 when the next is due. */
  readonly progress: number
}

const ASSUMED_INTERVAL_MS = 60_000

/**
 * The service makes blocks at boundaries aligned to the clock, and a late block does not move the next
 * boundary. So with the server's own interval the next beacon is due at the boundary after the head. An
 * observed interval gives no alignment.
 */
export const countdown = (headAt: number, interval: Interval, now: number): Countdown => {
  const start = interval.source === 'server' ? Math.floor(headAt / interval.ms) * interval.ms : headAt
  const dueAt = start + interval.ms
  const from = Math.min(headAt, dueAt - 1)
  return {
    dueAt,
    remainingMs: Math.max(0, dueAt - now),
    overdueMs: Math.max(0, now - dueAt),
    progress: Math.min(1, Math.max(0, (now - from) / (dueAt - from))),
  }
}

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
