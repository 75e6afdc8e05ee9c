// How a command ends in the middle: at once, or after it has left nothing half done.
import process from 'node:process'
import { Complaint, codeOf } from './terminal.ts'

/** Ends the program with 130. */
export class Interrupted extends Complaint {
  constructor(message: string) {
    super(message, { exitCode: 130 })
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** An interrupt ends the program with 130, unless a command that is `interruptible` ends it in its own way. */
export function endOnInterrupt(tidy?: () => void): void {
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 1) return
    tidy?.()
    process.exit(130)
  })
}

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

/**
 * For work without an end of its own. It is stopped by an interrupt, with 130, or because nobody reads standard output
 * any more, with 0: `tail | head` has got what it wanted.
 */
export async function endless(work: (stopped: AbortSignal) => Promise<void>): Promise<0 | 130> {
  const unheard = new AbortController()
  const onError = (error: Error) => {
    if (codeOf(error) === 'EPIPE') unheard.abort()
  }
  process.stdout.on('error', onError)
  try {
    return await interruptible(new Interrupted('It was interrupted.'), async (interrupted) => {
      const stopped = AbortSignal.any([interrupted, unheard.signal])
      try {
        await work(stopped)
      } catch (error) {
        // What was under way when it was stopped fails because of that.
        if (!stopped.aborted) throw error
      }
      return interrupted.aborted ? 130 : 0
    })
  } finally {
    process.stdout.off('error', onError)
  }
}
