// A budget per minute of the clock: on the minute it is whole again, whatever was spent before.
import { GRAIN, type Metering, MINUTE_MS, type Spending } from './token_bucket.ts'

/** Which minute since 1970 a moment lies in. */
export const minuteOf = (unixMs: number): number => Math.floor(unixMs / MINUTE_MS)

export const clockMinute: Metering = Object.freeze({
  spentAt: ({ spent, atMs }: Spending, _perMinute: number, nowMs: number) =>
    minuteOf(nowMs) > minuteOf(atMs) ? 0 : spent,
  waitMs: (spent: number, cost: number, perMinute: number, nowMs: number) =>
    spent + Math.min(cost, perMinute) - perMinute <= GRAIN
      ? 0
      : Math.ceil((minuteOf(nowMs) + 1) * MINUTE_MS - nowMs),
})
