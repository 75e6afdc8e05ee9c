// Turns many calls into few runs. The first call runs at once. Further calls within the gap share one run at its end.

export interface Coalesced {
  readonly poke: () => void
  readonly close: () => void
}

/** Starts at most one run per `gapMs`, and always one after the last poke. */
export function coalesce(run: () => void, gapMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined
  let again = false
  const start = (): void => {
    again = false
    timer = setTimeout(() => {
      timer = undefined
      if (again) start()
    }, gapMs)
    timer.unref()
    run()
  }
  return Object.freeze({
    poke: () => {
      if (timer === undefined) start()
      else again = true
    },
    close: () => clearTimeout(timer),
  })
}
