// Waiting for one value: not at all where it is known at once, and elsewhere only so long.

/** Usually known at once, and sometimes only later. Waiting for a known value costs more than using it. */
export type AtOnce<T> = T | Promise<T>

/** Uses the value as soon as it is known, which is now or later. An error of `use` is thrown now or later alike. */
export const whenKnown = <T, U>(value: AtOnce<T>, use: (value: T) => AtOnce<U>): AtOnce<U> =>
  value instanceof Promise ? value.then(use) : use(value)

/** Rejects with `late()` when the work takes longer. The work itself goes on, and what it throws then is dropped. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
