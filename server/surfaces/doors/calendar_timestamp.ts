// From the proof of a round to the timestamp of its root, as calendars answer it.
import { readBundleJson } from '../../../shared/proof/bundle/read_bundle.ts'
import { bitcoinTimestampOf, type OtsFile } from '../../../shared/proof/opentimestamps/ots_file.ts'
import { MOST_TIMESTAMP_BYTES } from '../../../shared/proof/opentimestamps/pending_timestamp.ts'
import {
  NOT_EXPRESSIBLE,
  NotExpressible,
  type NotExpressibleReason,
} from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import type { JsonText } from '../../kernel/json_text.ts'
import { refuse } from '../../kernel/refusal.ts'

/** Why the timestamp of a root cannot be told, however long somebody waits. */
export type Inexpressible = Exclude<NotExpressibleReason, 'no_bitcoin_commitment'> | 'other_network'

/**
 * The client puts these operations behind its own. Of the 255 that it reads again, the longest path in a round takes 50,
 * and 40 are left for the tree in which it gathers what it stamps at once.
 */
const MOST_OPERATIONS = 255 - 50 - 40

interface Attesting {
  /** Whether only this machine reaches the service. An attestation names no network, so others are told mainnet’s alone. */
  readonly isLocal: boolean
  readonly onInexpressible: (reason: Inexpressible) => void
}

/**
 * @param bundle of the round's item, which has passed its verification
 * @throws not_found while it is not on Bitcoin, and for what clients would not read
 */
export function calendarTimestamp(bundle: JsonText, { isLocal, onInexpressible }: Attesting): Uint8Array {
  const found = readTimestamp(bundle)
  if (typeof found !== 'string' && (found.network === 'mainnet' || isLocal)) return found.bytes
  const reason = typeof found === 'string' ? found : 'other_network'
  if (reason !== 'no_bitcoin_commitment') onInexpressible(reason)
  throw refuse('not_found', { detail: WORDS[reason], meta: { reason } })
}

const WORDS = {
  ...NOT_EXPRESSIBLE,
  no_bitcoin_commitment: 'it is not on Bitcoin yet',
  other_network: 'it is on a chain for trials alone, which proves nothing',
} as const

function readTimestamp(bundle: JsonText): OtsFile | NotExpressibleReason {
  try {
    const timestamp = bitcoinTimestampOf(readBundleJson(bundle.text))
    if (timestamp.operations > MOST_OPERATIONS) return 'too_deep'
    return timestamp.bytes.length > MOST_TIMESTAMP_BYTES ? 'too_long' : timestamp
  } catch (error) {
    if (error instanceof NotExpressible) return error.reason
    throw error
  }
}
