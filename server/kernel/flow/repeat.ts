// What happens again and again by the clock, or when it is poked, and never twice at once.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Repetition {
  /**
   * One run. Returns the milliseconds until the next run, or nothing for `everyMs`. `stop` aborts the signal. The run
   * must pass the signal on or check it between steps.
   */
  readonly run: (signal: AbortSignal) => Promise<number | undefined> | Promise<void>
  /** Milliseconds from the end of a run to the start of the next. With `Infinity` only pokes start runs. */
  readonly everyMs: number
  /** Milliseconds before the first run. The default is `everyMs`. */
  readonly firstMs?: number
  /** Milliseconds from the start of a run to the start of the next, however often it is poked. The default is 0. */
  readonly gapMs?: number
  /** Milliseconds to wait after a failed run. Doubled with each further failure in a row, up to the most. */
  readonly retry?: { readonly firstMs: number; readonly mostMs: number }
  /**
   * Called with the error of a failed run. Not called after `stop`, because the resources of the run are then being
   * closed.
   */
  readonly onError: (error: unknown) => void
  /** Whether the wait for the next run keeps the process alive. The default is yes. */
  readonly keepsAlive?: boolean
}

export type Repeating = ReturnType<typeof repeat>

/** Milliseconds. Used when a repetition has no `retry` of its own. */
const RETRY = { firstMs: 1_000, mostMs: 30_000 } as const

/** The longest delay that a timer of Node supports. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export function repeat({
  run,
  everyMs,
  firstMs = everyMs,
  gapMs = 0,
  retry = { firstMs: Math.min(everyMs, RETRY.firstMs), mostMs: Math.min(everyMs, RETRY.mostMs) },
  onError,
  keepsAlive = true,
}: Repetition) {
  const stopping = new AbortController()
  // A run belongs to no request, also when a request poked it.
  const outside = AsyncLocalStorage.snapshot()
  const isStopped = (): boolean => stopping.signal.aborted
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let begunAt = Number.NEGATIVE_INFINITY
  /** The delay that pokes during the current run asked for. */
  let pokedMs = Number.POSITIVE_INFINITY
  let failures = 0
  /** Callers that wait for the end of a run that has not begun. */
  let waiting: (() => void)[] = []

  const wait = (ms: number): void => {
    clearTimeout(timer)
    dueAt = performance.now() + ms
    if (ms === Number.POSITIVE_INFINITY) return
    timer = setTimeout(begin, Math.min(ms, LONGEST_WAIT_MS))
    if (!keepsAlive) timer.unref()
  }

  const begin = (): void => outside(beginHere)

  const beginHere = (): void => {
    clearTimeout(timer)
    begunAt = performance.now()
    pokedMs = Number.POSITIVE_INFINITY
    const served = waiting
    waiting = []
    underWay = runOnce().then((nextMs) => {
      underWay = undefined
      for (const settle of served) settle()
      // With the pokes until now: the run had ended, and nobody could see it yet.
      if (!isStopped()) wait(failures > 0 ? nextMs : Math.min(nextMs, pokedMs))
    })
  }

  /** Returns the milliseconds until the next run. */
  const runOnce = async (): Promise<number> => {
    // Set first, so that a poke during the run finds a run under way.
    await undefined
    if (isStopped()) return everyMs
    try {
      const answered = await run(stopping.signal)
      failures = 0
      return answered ?? everyMs
    } catch (error) {
      if (!isStopped()) onError(error)
      failures += 1
      return Math.min(retry.mostMs, retry.firstMs * 2 ** (failures - 1))
    }
  }

  /**
   * Starts the next run within so many milliseconds, at once by default. During a run, any number of pokes start one
   * run after it. After a failure the wait is not shortened.
   */
  const poke = (askedMs = 0): void => {
    if (isStopped()) return
    const withinMs = Math.max(askedMs, begunAt + gapMs - performance.now())
    if (underWay !== undefined) pokedMs = Math.min(pokedMs, withinMs)
    else if (failures > 0) return
    else if (withinMs <= 0) begin()
    else if (performance.now() + withinMs < dueAt) wait(withinMs)
  }

  wait(firstMs)
  return Object.freeze({
    poke,
    /** Pokes, and resolves when a run that began after this call has ended, or after `stop`. Never rejects. */
    run: async (): Promise<void> => {
      if (isStopped()) return
      const ended = new Promise<void>((settle) => void waiting.push(settle))
      poke()
      await ended
    },
    /** Starts no further run. Resolves when the current run has ended. */
    stop: async (): Promise<void> => {
      stopping.abort()
      clearTimeout(timer)
      await underWay
      for (const settle of waiting.splice(0)) settle()
    },
  })
}
