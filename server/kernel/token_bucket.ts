// A token bucket that counts what was spent: the whole budget may go at once, then it comes back at an even rate.

/** What was spent as of a moment, in milliseconds of one and the same clock. */
export interface Spending {
  readonly spent: number
  readonly atMs: number
}

/** How spending is forgotten. The two ways are `tokenBucket` and `clockMinute`. */
export interface Metering {
  /** What still counts at `nowMs`. A clock that went back forgets nothing. */
  readonly spentAt: (spending: Spending, perMinute: number, nowMs: number) => number
  /** Milliseconds until `cost` fits, when nobody spends meanwhile. 0 when it fits now. `spent` is as of `nowMs`. */
  readonly waitMs: (spent: number, cost: number, perMinute: number, nowMs: number) => number
}

export const MINUTE_MS = 60_000

/** Spending is kept in fractions; what is nearer to a whole one than this is one. */
export const GRAIN = 1e-6

export const tokenBucket: Metering = Object.freeze({
  spentAt: ({ spent, atMs }: Spending, perMinute: number, nowMs: number) =>
    Math.max(0, spent - (Math.max(0, nowMs - atMs) * perMinute) / MINUTE_MS),
  waitMs: (spent: number, cost: number, perMinute: number) => {
    const lacking = spent + Math.min(cost, perMinute) - perMinute
    return lacking <= GRAIN ? 0 : Math.ceil(((lacking - GRAIN / 2) * MINUTE_MS) / perMinute)
  },
})
