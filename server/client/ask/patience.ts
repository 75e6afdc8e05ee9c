// When a service that does not answer, or asks for a pause, is asked again: later and later, and not before it said.
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer } from '../../../shared/cli/get_bytes.ts'
import { Complaint, printable, type Terminal, tellComplaint, wordsOf } from '../../../shared/cli/terminal.ts'
import { ServiceRefused } from './ask_service.ts'

const LONGEST_PAUSE_MS = 60_000

/** From 1 s on, each twice the one before, and a fifth longer or shorter, so that many who wait do not come at once. */
export const backoffMs = (troubles: number, longestMs = LONGEST_PAUSE_MS): number =>
  Math.min(longestMs, 1_000 * 2 ** Math.min(troubles, 10)) * (0.8 + 0.4 * Math.random())

/**
 * Milliseconds until it may be asked again. Undefined for a no that stays one.
 * @param troubles how often it was asked in vain before
 */
export function pauseAfter(error: unknown, troubles: number): number | undefined {
  if (error instanceof NoAnswer) return backoffMs(troubles)
  if (!(error instanceof ServiceRefused) || !(error.status >= 500 || error.status === 429)) return undefined
  return Math.max(backoffMs(troubles), (error.retryAfterSeconds ?? 0) * 1_000)
}

const MOST_ATTEMPTS = 8
/** A service that wants to be left alone for longer is not waited for. */
const MOST_PAUSE_MS = 120_000

/**
 * Asks a few times. What is asked must be harmless when it is asked twice, because an answer may have been lost.
 * @throws Complaint of the last attempt
 */
export async function askAgain<T>(terminal: Terminal, ask: () => Promise<T>): Promise<T> {
  for (let troubles = 0; ; troubles += 1)
    try {
      return await ask()
    } catch (error) {
      const pauseMs = pauseAfter(error, troubles)
      if (pauseMs === undefined || !(error instanceof Complaint)) throw error
      if (troubles + 1 === MOST_ATTEMPTS || pauseMs > MOST_PAUSE_MS) throw error
      tellComplaint(
        terminal,
        new Complaint(`${error.message} Asking again in ${Math.ceil(pauseMs / 1_000)} s.`),
      )
      await sleep(pauseMs)
    }
}

/** What work without an end needs to go on. */
export const going = (terminal: Terminal, stopped: AbortSignal) => ({
  terminal,
  /** Aborted when it is to end. */
  stopped,
  /** Rejects when it is to end. */
  rest: (ms: number): Promise<void> => sleep(ms, undefined, { signal: stopped }),
})

export type Going = ReturnType<typeof going>

/**
 * Asks until there is an answer. Says once that the service is in trouble, and once that it is not any more.
 * @throws what does not pass by itself
 */
export async function untilAnswered<T>(
  { terminal, stopped, rest }: Going,
  ask: () => Promise<T>,
): Promise<T> {
  for (let troubles = 0; ; troubles += 1) {
    try {
      const answer = await ask()
      if (troubles > 0) terminal.note('It answers again.')
      return answer
    } catch (error) {
      const pauseMs = pauseAfter(error, troubles)
      if (pauseMs === undefined || stopped.aborted) throw error
      if (troubles === 0) terminal.note(printable(`! ${wordsOf(error)} It is asked again until it answers.`))
      await rest(pauseMs)
    }
  }
}
