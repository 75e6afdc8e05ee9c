// The one loop of the house: does something again and again, by the clock and when it is poked, never twice at once.

export interface Repetition {
  /**
   * One run. Answers the milliseconds until the next one; without an answer it is `everyMs`. The signal is aborted when
   * `stop` is called: the run hands it on, or looks at it between two steps.
   */
  readonly run: (signal: AbortSignal) => Promise<number | undefined> | Promise<void>
  /** Milliseconds from the end of a run to the beginning of the next; `Infinity` when only pokes begin one. */
  readonly everyMs: number
  /** Milliseconds before the first run; `everyMs` when left out. */
  readonly firstMs?: number
  /** Milliseconds to wait after a run that failed: doubled with each that fails in a row, up to the most. */
  readonly retry?: { readonly firstMs: number; readonly mostMs: number }
  /** Called with what a run failed with; not after `stop`, because what the run works with is then being closed. */
  readonly onError: (error: unknown) => void
  /** Whether waiting for the next run keeps the process alive; yes when left out. */
  readonly keepsAlive?: boolean
}

export interface Repeating {
  /**
   * There may be something to do: the next run begins within so many milliseconds, at once when left out. During a run
   * it begins after that one, once, however many pokes there were. After a failure the wait is not cut short.
   */
  readonly poke: (withinMs?: number) => void
  /** Pokes, and settles when a run that began after this call has ended, or after `stop`. Never rejects. */
  readonly run: () => Promise<void>
  /** No run begins after this call. Settles when the one under way has ended. */
  readonly stop: () => Promise<void>
}

/** Milliseconds, where a repetition has no `retry` of its own. */
const RETRY = { firstMs: 1_000, mostMs: 30_000 } as const

/** What a timer of Node can wait at most. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export function repeat({
  run,
  everyMs,
  firstMs = everyMs,
  retry = { firstMs: Math.min(everyMs, RETRY.firstMs), mostMs: Math.min(everyMs, RETRY.mostMs) },
  onError,
  keepsAlive = true,
}: Repetition): Repeating {
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  /** How soon a poke during the run under way wants the next one. */
  let pokedMs = Number.POSITIVE_INFINITY
  let failures = 0
  /** Who waits for the end of a run that has not begun. */
  let waiting: (() => void)[] = []

  const wait = (ms: number): void => {
    clearTimeout(timer)
    dueAt = performance.now() + ms
    if (ms === Number.POSITIVE_INFINITY) return
    timer = setTimeout(begin, Math.min(ms, LONGEST_WAIT_MS))
    if (!keepsAlive) timer.unref()
  }

  const begin = (): void => {
    clearTimeout(timer)
    pokedMs = Number.POSITIVE_INFINITY
    const served = waiting
    waiting = []
    underWay = runOnce().then((nextMs) => {
      underWay = undefined
      for (const settle of served) settle()
      if (!isStopped()) wait(nextMs)
    })
  }

  /** Answers how long to wait for the next. */
  const runOnce = async (): Promise<number> => {
    // A poke from within the run finds it under way.
    await undefined
    if (isStopped()) return everyMs
    try {
      const answered = await run(stopping.signal)
      failures = 0
      return Math.min(answered ?? everyMs, pokedMs)
    } catch (error) {
      if (!isStopped()) onError(error)
      failures += 1
      return Math.min(retry.mostMs, retry.firstMs * 2 ** (failures - 1))
    }
  }

  const poke = (withinMs = 0): void => {
    if (isStopped()) return
    if (underWay !== undefined) pokedMs = Math.min(pokedMs, withinMs)
    else if (failures > 0) return
    else if (withinMs <= 0) begin()
    else if (performance.now() + withinMs < dueAt) wait(withinMs)
  }

  wait(firstMs)
  return Object.freeze({
    poke,
    run: async () => {
      if (isStopped()) return
      const ended = new Promise<void>((settle) => void waiting.push(settle))
      poke()
      await ended
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await underWay
      for (const settle of waiting.splice(0)) settle()
    },
  })
}
