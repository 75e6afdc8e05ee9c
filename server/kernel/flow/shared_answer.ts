// Shares one computation among all callers. Its answer is reused for a while, and a caller waits only for a limited
// time.

interface SharedAnswerOptions<T> {
  /** Milliseconds for which an answer is reused, counted from the start of its computation. */
  readonly freshMs: number
  /** Longest wait of a caller in milliseconds. A slower computation continues, and no second one starts beside it. */
  readonly patienceMs: number
  /** The answer for callers whose wait has ended. */
  readonly late: () => T
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number
}

export function sharedAnswer<T>(
  compute: () => Promise<T>,
  { freshMs, patienceMs, late, now = () => performance.now() }: SharedAnswerOptions<T>,
): () => Promise<T> {
  let shown: Promise<T> | undefined
  let began = Number.NEGATIVE_INFINITY
  let underWay = false

  const begin = (): Promise<T> => {
    began = now()
    underWay = true
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => resolve(late()), patienceMs)
    const ended = (): void => {
      underWay = false
      clearTimeout(timer)
    }
    compute().finally(ended).then(resolve, reject)
    return promise
  }

  return () => {
    if (shown === undefined || (!underWay && now() - began >= freshMs)) shown = begin()
    return shown
  }
}
