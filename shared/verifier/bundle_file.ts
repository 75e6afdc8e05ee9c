// A generated proof as a file: its bytes and its name.
import { fromBase64, utf8 } from '../proof/bytes.ts'
import { canonicalJson } from '../proof/canonical_json.ts'
import type { JsonValue } from '../proof/json_value.ts'
import type { ProofType } from '../proof/signed_payload.ts'

/** The input of `proof/generate`, with the names used in JSON. */
export interface ProofInput {
  /** Id of the item, observation or block. */
  readonly id: string
  readonly type: ProofType
  readonly format?: 'json' | 'cbor'
  /** When absent, all witnesses. When empty, none. */
  readonly witnesses?: readonly string[]
  readonly layout?: 'published' | 'compact'
}

/**
 * The bytes of the file, from the `result` of the service. Text is CBOR in base64; anything else is the JSON
 * bundle, which must come from the strict reader so that no digit was rounded.
 * @throws RangeError on text that is not base64
 */
export const bundleBytes = (result: JsonValue): Uint8Array =>
  typeof result === 'string' ? fromBase64(result) : utf8(canonicalJson(result))

/**
 * Such as `pharos-entropy-nist-<id>-partial.cbor`: the subject of the proof, and how much of it can be
 * checked offline.
 */
export const fileNameOf = ({ id, type, format = 'json', witnesses }: ProofInput): string => {
  const carried = witnesses === undefined ? '' : witnesses.length === 0 ? '-compact' : '-partial'
  return `pharos-${type.replaceAll('_', '-')}-${id}${carried}.${format}`
}
