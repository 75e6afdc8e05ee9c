// One computation for everybody who asks: its answer holds for a while, and nobody waits longer than so long.

export interface SharedAnswerOptions<T> {
  /** How long an answer holds, from the beginning of its computation. */
  readonly freshMs: number
  /** Nobody waits longer; a computation that takes longer goes on alone, and no other begins beside it. */
  readonly patienceMs: number
  /** What is answered while it takes longer. */
  readonly late: () => T
  /** Milliseconds that never go back. */
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
