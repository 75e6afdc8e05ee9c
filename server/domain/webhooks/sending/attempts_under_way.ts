// Attempts under way, and the switch that interrupts them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { RECEIVER_BOUNDS } from '../../../outgoing/bounds.ts'
import { deadlines } from '../../../outgoing/deadlines.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

/**
 * The operator's switch for all webhook dispatch, as this server last read it. It is also off while the server
 * stops.
 * Off until the first `look`.
 */
export function createDispatchSwitch({ em }: { em: () => EntityManager }) {
  const interrupting = new AbortController()
  let on = false
  let stopped = false
  return Object.freeze({
    /** Whether an attempt may begin now. */
    isOn: (): boolean => on && !stopped,
    /** Reads the switch. Must be called at least every 5 s, because operators rely on that delay. */
    look: async (): Promise<void> => {
      on = await readFeatureFlag(em(), 'webhooks.dispatch')
    },
    /** Switches off permanently. Attempts in progress continue until `interrupt`. */
    stop: (): void => {
      stopped = true
    },
    interrupt: () => interrupting.abort(),
    interrupted: interrupting.signal,
  })
}

export type DispatchSwitch = ReturnType<typeof createDispatchSwitch>

/** @param interrupted aborted when the server stops */
export function attemptsUnderWay(interrupted: AbortSignal) {
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
        /** Aborted when the time is over or the server stops. */
        signal: one.signal,
        isLate: () => isLate,
        /** Must be called at the end of the attempt. */
        end: () => {
          inTime()
          running.delete(one)
        },
      }
    },
  })
}

export type AttemptsUnderWay = ReturnType<typeof attemptsUnderWay>
