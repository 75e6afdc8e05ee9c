// Attempts under way, and the switch that interrupts them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { RECEIVER_BOUNDS } from '../../../outgoing/receiver_bounds.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

export type DispatchSwitch = ReturnType<typeof createDispatchSwitch>

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
    isOn: () => on && !stopped,
    /** Reads the switch. Must be called at least every 5 s, because operators rely on that delay. */
    look: async () => {
      on = await readFeatureFlag(em(), 'webhooks.dispatch')
    },
    /** Switches off permanently. Attempts in progress continue until `interrupt`. */
    stop: () => {
      stopped = true
    },
    interrupt: () => interrupting.abort(),
    interrupted: interrupting.signal,
  })
}

export type AttemptsUnderWay = ReturnType<typeof attemptsUnderWay>

/** @param interrupted aborted when the server stops */
export function attemptsUnderWay(interrupted: AbortSignal) {
  const running = new Set<AbortController>()
  interrupted.addEventListener('abort', () => {
    for (const one of running) one.abort(interrupted.reason)
  })
  return Object.freeze({
    begin: () => {
      const one = new AbortController()
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        one.abort()
      }, RECEIVER_BOUNDS.whole).unref()
      running.add(one)
      if (interrupted.aborted) one.abort(interrupted.reason)
      return {
        /** Aborted when the time is over or the server stops. */
        signal: one.signal,
        isLate: () => isLate,
        /** Must be called at the end of the attempt. */
        end: () => {
          clearTimeout(timer)
          running.delete(one)
        },
      }
    },
  })
}
