// A wait that ends: work whose caller has only so long.

/** Rejects with `late()` when the work takes longer. The work itself goes on, and what it throws then is dropped. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
