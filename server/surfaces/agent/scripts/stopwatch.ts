// A time that runs down with interruptions.

export interface Stopwatch {
  readonly go: () => void
  readonly stop: () => void
}

/** Goes at first. @param over called when it went for so many milliseconds in all */
export function stopwatch(ms: number, over: () => void): Stopwatch {
  let left = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  const go = (): void => {
    since = performance.now()
    timer = setTimeout(over, left)
  }
  go()
  return {
    go,
    stop: () => {
      clearTimeout(timer)
      left -= performance.now() - since
    },
  }
}
