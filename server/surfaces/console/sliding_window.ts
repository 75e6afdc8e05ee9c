// At most so many in any span of so long: exact, not per clock window, so there is no double helping at a boundary.

export interface SlidingWindow {
  /** Counts one more when there is room for it. */
  readonly take: (now: number) => boolean
  /** Milliseconds until there is room again. */
  readonly wait: (now: number) => number
}

/** `now` is any clock in milliseconds that never goes back. Memory grows with use, to `count` numbers. */
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
