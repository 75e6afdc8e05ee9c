// How late this process is: the worst delay of its timers within about the last second.

export interface LoopDelay {
  /** Milliseconds. */
  readonly delayMs: () => number
  readonly close: () => void
}

const EVERY_MS = 50
/** A delay counts one tenth after a second. */
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
    // Includes a stall that is still going on, because the timer has not run since.
    delayMs: () => Math.max(0, worst, now() - due),
    close: () => clearInterval(timer),
  })
}
