// Does something soon, but at most once a second, and not while the tab is hidden.
const PACE_MS = 1_000

export type Paced = {
  /** Asks for it. Many requests before it is done are one. */
  readonly soon: () => void
  readonly stop: () => void
}

export const paced = (act: () => void): Paced => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let doneAt = 0
  let isWanted = false
  const run = (): void => {
    timer = null
    if (!isWanted || document.hidden) return
    isWanted = false
    doneAt = Date.now()
    act()
  }
  const schedule = (): void => {
    if (!document.hidden) timer ??= setTimeout(run, Math.max(0, doneAt + PACE_MS - Date.now()))
  }
  const shown = (): void => {
    if (isWanted) schedule()
  }
  document.addEventListener('visibilitychange', shown)
  return {
    soon: () => {
      isWanted = true
      schedule()
    },
    stop: () => {
      document.removeEventListener('visibilitychange', shown)
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
