// Allows at most `count` events in any span of `windowMs`. It is exact, so no double amount
// passes at a window boundary.

export interface SlidingWindow {
  /** Counts one more event when there is room and returns true; otherwise returns false. */
  readonly take: (now: number) => boolean
  /** Returns the milliseconds until there is room again. */
  readonly wait: (now: number) => number
}

/** Call with `now` from any clock in milliseconds that never goes back. It stores at most `count` numbers. */
export function slidingWindow(count: number, windowMs: number): SlidingWindow {
  const taken: number[] = []
  let oldest = 0
  const wait = (now: number): number =>
    taken.length < count ? 0 : Math.max(0, (taken[oldest] ?? now) + windowMs - now)
  return Object.freeze({
    wait,
    take: (now: number) => {
      if (taken.length < count) {
        taken.push(now)
        return true
      }
      if (wait(now) > 0) return false
      taken[oldest] = now
      oldest = (oldest + 1) % count
      return true
    },
  })
}
