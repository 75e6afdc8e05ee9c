// Metering by the minute of the clock: at the start of each minute the whole budget is available again.
import { GRAIN, type Metering, MINUTE_MS, type Spending } from './token_bucket.ts'

/** Number of the minute since 1970 that contains the time. */
export const minuteOf = (unixMs: number): number => Math.floor(unixMs / MINUTE_MS)

export const clockMinute: Metering = Object.freeze({
  spentAt: ({ spent, atMs }: Spending, _perMinute: number, nowMs: number) =>
    minuteOf(nowMs) > minuteOf(atMs) ? 0 : spent,
  waitMs: (spent: number, cost: number, perMinute: number, nowMs: number) =>
    spent + Math.min(cost, perMinute) - perMinute <= GRAIN
      ? 0
      : Math.ceil((minuteOf(nowMs) + 1) * MINUTE_MS - nowMs),
})
