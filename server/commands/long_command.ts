// What commands that take long have in common: progress, and an end in the middle that leaves nothing half done.
import { paced } from '../../shared/cli/terminal.ts'

/**
 * @param of all bytes that are known to be there; asked for each line, because more may be found
 * @returns what takes the number of bytes done since its last call
 */
export function progress(
  tell: (line: string) => void,
  { doing, of, now }: { readonly doing: string; readonly of: () => number; readonly now?: () => number },
): (bytes: number) => void {
  const tellPaced = paced(tell, { firstMs: 1_000, everyMs: 2_000, ...(now === undefined ? {} : { now }) })
  let done = 0
  return (bytes) => {
    done += bytes
    // A file may grow after it was found.
    tellPaced(() => `  ${doing}: ${inMb(done)} of ${inMb(Math.max(of(), done))} ...`)
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
