// Deadlines that all have the same length. They share one timer, because a timer each costs more than most work does.

interface Deadlines {
  /** Calls `late` once when the time is over, unless the returned function is called before. `late` must not throw. */
  readonly begin: (late: () => void) => () => void
}

interface Waiting {
  readonly at: number
  readonly late: () => void
}

/**
 * Since all have the same length, they end in the order in which they began. So the timer is set for the oldest only.
 * It does not keep the process alive.
 */
export function deadlines(milliseconds: number): Deadlines {
  const waiting = new Set<Waiting>()
  let isSet = false
  const set = (wait: number): void => {
    isSet = true
    setTimeout(sweep, wait).unref()
  }
  const sweep = (): void => {
    isSet = false
    const now = performance.now()
    for (const one of waiting) {
      // A timer of Node can be early by a part of a millisecond.
      if (one.at - now >= 1) {
        set(Math.ceil(one.at - now))
        return
      }
      waiting.delete(one)
      one.late()
    }
  }
  return Object.freeze({
    begin: (late: () => void) => {
      const one: Waiting = { at: performance.now() + milliseconds, late }
      waiting.add(one)
      if (!isSet) set(milliseconds)
      return () => void waiting.delete(one)
    },
  })
}
