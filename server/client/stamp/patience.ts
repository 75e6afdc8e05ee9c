// Asks a service again while what it refuses for passes, and says so.
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer } from '../../../shared/cli/get_bytes.ts'
import { Complaint, type Terminal, tellComplaint } from '../../../shared/cli/terminal.ts'
import { ServiceRefused } from '../service/ask_service.ts'

const MOST_ATTEMPTS = 8
/** A service that wants to be left alone for longer is not waited for. */
const MOST_SECONDS = 120

/**
 * What is asked must be harmless when it is asked twice, because an answer may have been lost.
 * @throws Complaint of the last attempt, with exit code 2 when it passes later
 */
export async function patiently<T>(terminal: Terminal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await ask()
    } catch (error) {
      const seconds = passesIn(error, attempt)
      if (seconds === undefined || !(error instanceof Complaint)) throw error
      if (attempt === MOST_ATTEMPTS || seconds > MOST_SECONDS)
        throw new Complaint(error.message, {
          ...(error.advice === undefined ? {} : { advice: error.advice }),
        })
      tellComplaint(terminal, new Complaint(`${error.message} Asking again in ${seconds} s.`))
      await sleep(seconds * 1_000)
    }
}

/** Seconds. Undefined for what does not pass. */
export const passesIn = (error: unknown, attempt: number): number | undefined => {
  const usual = Math.min(2 ** (attempt - 1), 30)
  if (error instanceof NoAnswer) return usual
  if (error instanceof ServiceRefused && (error.status === 429 || error.status >= 500))
    return error.retryAfterSeconds ?? usual
  return undefined
}
