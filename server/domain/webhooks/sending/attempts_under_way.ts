// Attempts under way, and the switch that interrupts them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { deadlines } from '../../../outgoing/deadlines.ts'
import { RECEIVER_BOUNDS } from '../../../outgoing/receiver_bounds.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

export interface DispatchSwitch {
  /** Whether an attempt may begin now. */
  readonly isOn: () => boolean
  /** Reads the switch. Must be called at least every 5 s, because operators rely on that delay. */
  readonly look: () => Promise<void>
  /** Switches off permanently. Attempts in progress continue until `interrupt`. */
  readonly stop: () => void
  readonly interrupt: () => void
  readonly interrupted: AbortSignal
}

/**
 * The operator's switch for all webhook dispatch, as this server last read it. It is also off while the server
 * stops.
 * Off until the first `look`.
 */
export function createDispatchSwitch({ em }: { em: () => EntityManager }): DispatchSwitch {
  const interrupting = new AbortController()
  let on = false
  let stopped = false
  return Object.freeze({
    isOn: () => on && !stopped,
    look: async () => {
      on = await readFeatureFlag(em(), 'webhooks.dispatch')
    },
    stop: () => {
      stopped = true
    },
    interrupt: () => interrupting.abort(),
    interrupted: interrupting.signal,
  })
}

interface UnderWay {
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
