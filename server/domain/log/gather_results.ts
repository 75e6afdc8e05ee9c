// Waits for several witnesses at once, until enough have answered or the time is over.
import type { WitnessResult } from './witness_rows.ts'

/** Milliseconds. */
export interface RoundTimes {
  /** No round is longer. */
  readonly whole: number
  /** So long the others may still answer when there are enough. */
  readonly afterQuorum: number
  /** Until a size without a quorum is offered again. */
  readonly pause: number
}

export const ROUND_TIMES: RoundTimes = { whole: 10_000, afterQuorum: 1_000, pause: 10_000 }

export interface Gathering {
  readonly asks: readonly {
    readonly labels: readonly string[]
    readonly ask: (signal: AbortSignal) => Promise<readonly WitnessResult[]>
  }[]
  /** Whether these results, with what is stored already, are enough. */
  readonly isEnough: (results: readonly WitnessResult[]) => boolean
  /** Called when there are enough, and at the end. Each result is reported once. */
  readonly report: (results: readonly WitnessResult[]) => Promise<void>
  readonly times: RoundTimes
  /** Ends the round at once, and then nobody is too slow. */
  readonly signal: AbortSignal
}

/** Those that have not answered in the end are reported as too slow. An answer after that is not looked at. */
export async function gatherResults({ asks, isEnough, report, times, signal }: Gathering): Promise<void> {
  const results = new Map<string, WitnessResult>()
  let news: WitnessResult[] = []
  const ending = new AbortController()
  const enough = Promise.withResolvers<void>()
  const note = (result: WitnessResult): void => {
    if (ending.signal.aborted || results.has(result.label)) return
    results.set(result.label, result)
    news.push(result)
    if (isEnough([...results.values()])) enough.resolve()
  }
  const reportNews = async (): Promise<void> => {
    const told = news
    news = []
    await report(told)
  }
  const whole = timer(times.whole)
  const stop = (): void => whole.end()
  signal.addEventListener('abort', stop)
  let rest: ReturnType<typeof timer> | undefined
  try {
    const all = Promise.all(
      asks.map(async ({ ask }) => {
        for (const result of await ask(ending.signal)) note(result)
      }),
    )
    await Promise.race([all, enough.promise, whole.over])
    await reportNews()
    if (signal.aborted) return
    rest = timer(times.afterQuorum)
    await Promise.race([all, rest.over, whole.over])
    if (signal.aborted) return
    for (const label of asks.flatMap(({ labels }) => labels))
      note({ label, cosignature: undefined, trouble: 'too_slow', seenSize: undefined })
    await reportNews()
  } finally {
    signal.removeEventListener('abort', stop)
    ending.abort()
    whole.end()
    rest?.end()
  }
}

function timer(ms: number): { readonly over: Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = setTimeout(resolve, ms)
  const end = (): void => {
    clearTimeout(running)
    resolve()
  }
  return { over: promise, end }
}
