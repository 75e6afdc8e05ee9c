// The database's time on this server, without asking for it: the monotonic clock plus what the answers taught.

export interface Clock {
  /** Never goes back. */
  readonly monotonicMs: () => number
  /** This machine's idea of the time; used until the database has answered once. */
  readonly unixMs: () => number
}

export const systemClock: Clock = Object.freeze({
  monotonicMs: () => performance.now(),
  unixMs: () => Date.now(),
})

export interface DatabaseClock {
  readonly unixMs: (monotonicMs: number) => number
  /** The database said `unixMs`, a moment ago. */
  readonly observe: (unixMs: number, monotonicMs: number) => void
}

/** A late answer makes the database look slow; the quickest one within this time counts. */
const REMEMBERED_MS = 30_000
/** A difference beyond this is no slow answer: the database's clock was set. */
const STEPPED_MS = 1_000

/**
 * Never ahead of the database's own clock: a window here does not begin before it does there, and nobody is told to
 * come back too early. Behind by what the quickest answer took to arrive, about a millisecond.
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
