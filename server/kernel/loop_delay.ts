// How late this process is: the time by which its timers come after they were due, the worst of the last second or so.

export interface LoopDelay {
  /** Milliseconds. */
  readonly delayMs: () => number
  readonly close: () => void
}

const EVERY_MS = 50
/** What was a second ago counts a tenth. */
const FADING = 0.1 ** (EVERY_MS / 1_000)

export function watchLoopDelay(now: () => number = () => performance.now()): LoopDelay {
  let due = now() + EVERY_MS
  let worst = 0
  const timer = setInterval(() => {
    const at = now()
    worst = Math.max(at - due, worst * FADING)
    due = at + EVERY_MS
  }, EVERY_MS).unref()
  return Object.freeze({
    // A stall that is still going on has not been seen by the timer yet.
    delayMs: () => Math.max(0, worst, now() - due),
    close: () => clearInterval(timer),
  })
}
