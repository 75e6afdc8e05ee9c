// A generated proof as the file that people keep: its bytes and its name.
import { fromBase64, utf8 } from '../proof/bytes.ts'
import { canonicalJson } from '../proof/canonical_json.ts'
import type { JsonValue } from '../proof/json_value.ts'
import type { ProofType } from '../proof/signed_payload.ts'

/** What `proof/generate` takes, in the words of the wire. */
export interface ProofRequest {
  /** Of the item, observation or block. */
  readonly id: string
  readonly type: ProofType
  readonly format?: 'json' | 'cbor'
  /** Absent: all. Empty: none. */
  readonly witnesses?: readonly string[]
  readonly layout?: 'published' | 'compact'
}

/**
 * The file's bytes, of the `result` that the service answered: text is CBOR in base64, anything else the JSON bundle, read
 * by the strict reader so that no digit of it was rounded. RangeError on text that is no base64.
 */
export const bundleBytes = (result: JsonValue): Uint8Array =>
  typeof result === 'string' ? fromBase64(result) : utf8(canonicalJson(result))

/** `pharos-entropy-nist-<id>-partial.cbor`: what it proves, and how much of it can be checked without asking anybody. */
export const fileNameOf = ({ id, type, format = 'json', witnesses }: ProofRequest): string => {
  const carried = witnesses === undefined ? '' : witnesses.length === 0 ? '-compact' : '-partial'
  return `pharos-${type.replaceAll('_', '-')}-${id}${carried}.${format}`
}
