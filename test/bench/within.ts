// A ceiling of time for what might never come.

/** @throws an Error that begins with `what` when it takes longer. The work itself goes on. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} took longer than ${ms / 1_000} s.`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
