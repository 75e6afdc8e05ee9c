// Work that several ask for while it is under way is done once, for all of them; and one computation whose answer is reused for a while.

export type UnderWay<Key, Value> = ReturnType<typeof underWay<Key, Value>>

export function underWay<Key, Value>() {
  const running = new Map<Key, Promise<Value>>()
  return Object.freeze({
    /** The work of this key: that which is under way, or else what `begin` begins. */
    join: (key: Key, begin: () => Promise<Value>): Promise<Value> => {
      const known = running.get(key)
      if (known !== undefined) return known
      const work = begin().finally(() => {
        if (running.get(key) === work) running.delete(key)
      })
      running.set(key, work)
      return work
    },
    known: (key: Key) => running.get(key),
    /** Who asks from now on joins no work that began before. */
    forget: (): void => running.clear(),
  })
}

export function sharedAnswer<T>(
  compute: () => Promise<T>,
  {
    freshMs,
    patienceMs,
    late,
    now = () => performance.now(),
  }: {
    /** Milliseconds for which an answer is reused, counted from the start of its computation. */
    readonly freshMs: number
    /** Longest wait of a caller in milliseconds. A slower computation continues, and no second one starts beside it. */
    readonly patienceMs: number
    /** The answer for callers whose wait has ended. */
    readonly late: () => T
    /** Milliseconds on a monotonic clock. */
    readonly now?: () => number
  },
): () => Promise<T> {
  let shown: Promise<T> | undefined
  let began = Number.NEGATIVE_INFINITY
  let isUnderWay = false

  const begin = (): Promise<T> => {
    began = now()
    isUnderWay = true
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => resolve(late()), patienceMs)
    const ended = (): void => {
      isUnderWay = false
      clearTimeout(timer)
    }
    compute().finally(ended).then(resolve, reject)
    return promise
  }

  return () => {
    if (shown === undefined || (!isUnderWay && now() - began >= freshMs)) shown = begin()
    return shown
  }
}
