// The outside services in /health/ready: the sources of entropy, the public chains, and the witnesses of the log.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isJsonObject, numberAt, textAt } from '../data/json_object.ts'

export type SourceStanding = {
  readonly source: string
  /** `answering`, `failing`, or `waiting` for the first answer. */
  readonly state: string
  readonly failingSince: string | null
  /** `timeout`, `unreachable`, … */
  readonly failure: string | null
}

export type ChainStanding = {
  readonly chain: string
  /** Null until the chain has answered once. */
  readonly network: string | null
  readonly confirmedAt: string | null
  /** The number of epochs that are closed but not confirmed, and since when the oldest of them waits. */
  readonly waiting: number
  readonly waitingSince: string | null
  readonly error: string | null
  /** True for a chain inside the service, which proves nothing to outsiders. */
  readonly development: boolean
}

export type WitnessStanding = {
  readonly witness: string
  /** Null when it cosigned what it was offered last. */
  readonly missingSince: string | null
  /** `unreachable`, `too_slow`, … */
  readonly trouble: string | null
}

export type Outside = {
  readonly sources: readonly SourceStanding[]
  readonly chains: readonly ChainStanding[]
  /** None where no policy names any. */
  readonly witnesses: readonly WitnessStanding[]
}

export const READY_PATH = '/health/ready'

export const readOutside = (document: JsonValue): Outside => ({
  sources: listAt(document, 'entropy').map((one) => ({
    source: textAt(one, 'source') ?? '',
    state: textAt(one, 'state') ?? '',
    failingSince: textAt(one, 'failing_since'),
    failure: textAt(one, 'failure'),
  })),
  chains: listAt(document, 'chains').map((one) => ({
    chain: textAt(one, 'chain') ?? '',
    network: textAt(one, 'network'),
    confirmedAt: textAt(one, 'confirmed_at'),
    waiting: numberAt(one, 'waiting') ?? 0,
    waitingSince: textAt(one, 'waiting_since'),
    error: textAt(one, 'error'),
    development: textAt(one, 'caveat') !== null || textAt(one, 'network') === 'regtest',
  })),
  witnesses: listAt(document, 'witnesses').map((one) => ({
    witness: textAt(one, 'witness') ?? '',
    missingSince: textAt(one, 'missing_since'),
    trouble: textAt(one, 'trouble'),
  })),
})

const listAt = (document: JsonValue, name: string): readonly unknown[] => {
  const list = isJsonObject(document) ? document[name] : undefined
  return Array.isArray(list) ? list : []
}
