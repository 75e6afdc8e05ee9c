// The attempts in progress. Each ends when its time is over or the server stops. One timer serves them all.
import { deadlines } from '../../../outgoing/deadlines.ts'
import { RECEIVER_BOUNDS } from '../../../outgoing/receiver_bounds.ts'

export interface UnderWay {
  /** Aborted when the time is over or the server stops. */
  readonly signal: AbortSignal
  readonly isLate: () => boolean
  /** Must be called at the end of the attempt. */
  readonly end: () => void
}

export interface AttemptsUnderWay {
  readonly begin: () => UnderWay
}

/** @param interrupted aborted when the server stops */
export function attemptsUnderWay(interrupted: AbortSignal): AttemptsUnderWay {
  const whole = deadlines(RECEIVER_BOUNDS.whole)
  const running = new Set<AbortController>()
  interrupted.addEventListener('abort', () => {
    for (const one of running) one.abort(interrupted.reason)
  })
  return Object.freeze({
    begin: () => {
      const one = new AbortController()
      let isLate = false
      const inTime = whole.begin(() => {
        isLate = true
        one.abort()
      })
      running.add(one)
      if (interrupted.aborted) one.abort(interrupted.reason)
      return {
        signal: one.signal,
        isLate: () => isLate,
        end: () => {
          inTime()
          running.delete(one)
        },
      }
    },
  })
}
