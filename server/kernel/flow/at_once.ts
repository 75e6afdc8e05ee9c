// A value that is usually known at once, and sometimes only later. Waiting for a known value costs more than using it.
export type AtOnce<T> = T | Promise<T>

/** Uses the value as soon as it is known, which is now or later. An error of `use` is thrown now or later alike. */
export const whenKnown = <T, U>(value: AtOnce<T>, use: (value: T) => AtOnce<U>): AtOnce<U> =>
  value instanceof Promise ? value.then(use) : use(value)
