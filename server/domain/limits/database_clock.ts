// Estimates the database's time without a query: the monotonic clock plus the offset seen in earlier answers.

export interface Clock {
  /** Never goes back. */
  readonly monotonicMs: () => number
  /** This machine's clock. Used until the database has answered once. */
  readonly unixMs: () => number
}

export const systemClock: Clock = Object.freeze({
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
})

export interface DatabaseClock {
  readonly unixMs: (monotonicMs: number) => number
  /** Records that the database's time was `unixMs` a moment ago. */
  readonly observe: (unixMs: number, monotonicMs: number) => void
}

/** A late answer makes the database's clock look slow, so the quickest answer within this time counts. */
const REMEMBERED_MS = 30_000
/** A larger difference does not come from a slow answer: the database's clock was set. */
const STEPPED_MS = 1_000

/**
 * Never ahead of the database's clock, so a window here does not begin before it begins there, and no retry time is
 * too early. Behind by the delay of the quickest answer, about a millisecond.
 */
export function databaseClock(clock: Clock): DatabaseClock {
  let offset = clock.unixMs() - clock.monotonicMs()
  let observedAt: number | undefined
  return Object.freeze({
    unixMs: (monotonicMs: number) => monotonicMs + offset,
    observe: (unixMs: number, monotonicMs: number) => {
      const sample = unixMs - monotonicMs
      const stale = observedAt === undefined || monotonicMs - observedAt > REMEMBERED_MS
      if (!stale && sample <= offset && offset - sample <= STEPPED_MS) return
      offset = sample
      observedAt = monotonicMs
    },
  })
}
