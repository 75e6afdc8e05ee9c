// What commands that take long have in common: progress, and an end in the middle that leaves nothing half done.

const FIRST_MS = 1_000
const EVERY_MS = 2_000

interface Told {
  readonly doing: string
  /** All bytes that are known to be there. Asked for each line, because more may be found. */
  readonly of: () => number
  readonly now?: () => number
}

/** @returns what takes the number of bytes done since its last call */
export function progress(
  tell: (line: string) => void,
  { doing, of, now = () => performance.now() }: Told,
): (bytes: number) => void {
  let done = 0
  let next = now() + FIRST_MS
  return (bytes) => {
    done += bytes
    if (now() < next) return
    next = now() + EVERY_MS
    // A file may grow after it was found.
    tell(`  ${doing}: ${inMb(done)} of ${inMb(Math.max(of(), done))} ...`)
  }
}

export const inMb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

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
