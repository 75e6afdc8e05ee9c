// The operator's switch over all dispatch, as this server last read it, and whether the server itself is stopping.
import type { EntityManager } from '@mikro-orm/postgresql'
import { readFeatureFlag } from '../accounts/feature_flag.ts'

export interface DispatchSwitch {
  /** Whether an attempt may be begun now. */
  readonly isOn: () => boolean
  /** Reads the switch. Call it often enough: an operator counts on 5 s. */
  readonly look: () => Promise<void>
  /** Off for good; attempts under way go on until `interrupt`. */
  readonly stop: () => void
  readonly interrupt: () => void
  readonly interrupted: AbortSignal
}

/** Off until it was read for the first time. */
export function createDispatchSwitch({ em }: { em: () => EntityManager }): DispatchSwitch {
  const interrupting = new AbortController()
  let on = false
  let stopped = false
  return Object.freeze({
    isOn: () => on && !stopped,
    look: async () => {
      on = await readFeatureFlag({ em: em() }, 'webhooks.dispatch')
    },
    stop: () => {
      stopped = true
    },
    interrupt: () => interrupting.abort(),
    interrupted: interrupting.signal,
  })
}
