// Work that tidies up after itself when it is asked to stop.

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Meanwhile these signals do not end the process. The signal of `work` is aborted with the error instead. They may come
 * again while it tidies up: npm passes on what the terminal has sent already.
 */
export async function interruptible<T>(error: Error, work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort(error)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
