// A sign-out that can be taken back for a few seconds. Then what would bring the session back is forgotten.
import type { Store } from '../data/store.ts'

const UNDO_MS = 8_000

type Ends = {
  readonly comeBack: () => void
  /** Called when the time is over, or when the page is closed or loaded again. */
  readonly finish: () => void
}

/** One of the ends is called, once. The returned function finishes at once, and does nothing later. */
export const startLeaving = (undo: Store<(() => void) | null>, { comeBack, finish }: Ends): (() => void) => {
  let isOver = false
  const once = (end: () => void) => (): void => {
    if (isOver) return
    isOver = true
    undo.write(null)
    end()
  }
  const finishOnce = once(finish)
  setTimeout(finishOnce, UNDO_MS)
  window.addEventListener('pagehide', finishOnce, { once: true })
  undo.write(once(comeBack))
  return finishOnce
}
