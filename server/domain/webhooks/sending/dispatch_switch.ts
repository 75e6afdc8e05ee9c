// The operator's switch for all webhook dispatch, as this server last read it. It is also off while the server stops.
import type { EntityManager } from '@mikro-orm/postgresql'
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

/** Off until the first `look`. */
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
