// Meters of spending: a bucket, which may be spent at once and refills at an even rate, and the minute of the clock,
// at whose start the whole budget is there again.

/** The amount spent at a time. The time is in milliseconds of one fixed clock. */
export interface Spending {
  readonly spent: number
  readonly atMs: number
}

/** How spending expires. Implemented by `tokenBucket` and `clockMinute`. */
export interface Metering {
  /** The spending that still counts at `nowMs`. When the clock goes back, nothing expires. */
  readonly spentAt: (spending: Spending, perMinute: number, nowMs: number) => number
  /** Milliseconds until `cost` fits if nothing else is spent. 0 when it fits now. `spent` is as of `nowMs`. */
  readonly waitMs: (spent: number, cost: number, perMinute: number, nowMs: number) => number
}

const MINUTE_MS = 60_000

/** Spending has fractions. A difference from a whole number below this is treated as none. */
export const GRAIN = 1e-6

export const tokenBucket: Metering = Object.freeze({
  spentAt: ({ spent, atMs }: Spending, perMinute: number, nowMs: number) =>
    Math.max(0, spent - (Math.max(0, nowMs - atMs) * perMinute) / MINUTE_MS),
  waitMs: (spent: number, cost: number, perMinute: number) => {
    const lacking = spent + Math.min(cost, perMinute) - perMinute
    return lacking <= GRAIN ? 0 : Math.ceil(((lacking - GRAIN / 2) * MINUTE_MS) / perMinute)
  },
})

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
