// A service that does not answer, or asks for a pause, is asked again: later and later, and not before it said.
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer } from '../../../shared/cli/get_bytes.ts'
import { printable, type Terminal, wordsOf } from '../../../shared/cli/terminal.ts'
import { ServiceRefused } from '../service/ask_service.ts'

/** What work without an end needs to go on. */
export interface Going {
  readonly terminal: Terminal
  /** Aborted when it is to end. */
  readonly stopped: AbortSignal
  /** Rejects when it is to end. */
  readonly rest: (ms: number) => Promise<void>
}

export const going = (terminal: Terminal, stopped: AbortSignal): Going => ({
  terminal,
  stopped,
  rest: (ms) => sleep(ms, undefined, { signal: stopped }),
})

/** Says once that the service is in trouble, and once that it is not any more. @throws what does not pass by itself */
export async function patiently<T>({ terminal, stopped, rest }: Going, ask: () => Promise<T>): Promise<T> {
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

/** Undefined for a no that stays one. */
function pauseAfter(error: unknown, troubles: number): number | undefined {
  if (error instanceof NoAnswer) return backoffMs(troubles)
  if (!(error instanceof ServiceRefused) || !(error.status >= 500 || error.status === 429)) return undefined
  return Math.max(backoffMs(troubles), (error.retryAfterSeconds ?? 0) * 1_000)
}

const LONGEST_PAUSE_MS = 60_000

/** From 1 s on, each twice the one before, and a fifth longer or shorter, so that many who wait do not come at once. */
export const backoffMs = (troubles: number, longestMs = LONGEST_PAUSE_MS): number =>
  Math.min(longestMs, 1_000 * 2 ** Math.min(troubles, 10)) * (0.8 + 0.4 * Math.random())
