// Reads a bundle in any form: JSON, CBOR, CBOR as base64 text, or one of them inside the answer of the API; and makes a
// file of a generated one.
import { BundleRejected, type RejectionReason } from '../proof/bundle/bundle_parts.ts'
import {
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../proof/bundle/read_bundle.ts'
import { fromBase64, readOrUndefined, utf8 } from '../proof/bytes.ts'
import { canonicalJson, isJsonObject, type JsonValue, memberOf } from '../proof/json_value.ts'
import type { ProofType } from '../proof/signed_payload.ts'
import { readStrictJson } from '../proof/strict_json.ts'

export const REJECTION_WORDS: Readonly<Record<RejectionReason, string>> = {
  not_a_json_object:
    'It is neither a JSON object nor CBOR: the file is cut short, changed, or something else.',
  invalid_subject_data: 'The hashed data in it holds something that JSON cannot say.',
  unsupported_layout:
    'It mixes the members of two layouts, so no reader can tell which one counts. Generate it again, in the layout “published”, or in “compact” for an older client.',
  invalid_subject_type:
    'It does not say what kind of thing it proves. If an older client wrote it, let that ask for the layout “compact”, the only one that it reads.',
  missing_block: 'The block is missing.',
  unexpected_subject_fields_for_block_like: 'It is about a block, and carries a subject all the same.',
  missing_subject: 'The subject is missing.',
  missing_inclusion_proof: 'The path from the subject to the block is missing.',
  missing_metadata: 'The metadata of the subject or of the block is missing.',
  no_external_commitments: 'It carries no commitment to any chain.',
  invalid_commitment_entry: 'One of its commitments cannot be read.',
}

/** No service of this kind issues a longer bundle. */
export const LARGEST_BUNDLE_BYTES = 1_048_576

/** @throws BundleRejected */
export function readAnyBundle(given: string | Uint8Array): ReadBundle {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given
  const start = bytes.findIndex((byte) => !isBlank(byte))
  const first = bytes[start]
  if (first === undefined) throw new BundleRejected('not_a_json_object')
  if (first === OPEN_BRACE) return fromJson(bytes)
  if (first >= FIRST_BEYOND_ASCII) return readBundleCbor(bytes)
  return fromBase64Text(new TextDecoder().decode(bytes))
}

const OPEN_BRACE = 0x7b
/** A CBOR map or tag starts at or above this byte. Base64 text never does. */
const FIRST_BEYOND_ASCII = 0x80

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** What `{"result": …}` holds, which is the answer of `proof/generate`. Undefined for everything else. */
export const answeredIn = (value: JsonValue): JsonValue | undefined =>
  isJsonObject(value) && Object.keys(value).length === 1 ? memberOf(value, 'result') : undefined

/** Also reads an answer of `proof/generate` that was saved to a file. */
function fromJson(bytes: Uint8Array): ReadBundle {
  const answered = answeredInJson(bytes)
  if (typeof answered === 'string') return fromBase64Text(answered)
  return isJsonObject(answered) ? readBundleObject(answered) : readBundleJson(bytes)
}

export function answeredInJson(text: string | Uint8Array): JsonValue | undefined {
  const value = readOrUndefined(() => readStrictJson(text))
  return value === undefined ? undefined : answeredIn(value)
}

/**
 * Ignores line breaks, which mail and terminals add. Accepts the URL alphabet and missing padding, which some
 * tools write.
 */
function fromBase64Text(text: string): ReadBundle {
  const plain = unpadded(text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = readOrUndefined(() => fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')))
  if (bytes === undefined) throw new BundleRejected('not_a_json_object')
  return readBundleCbor(bytes)
}

/**
 * Not a regular expression that looks for the end, because on a megabyte of padding it would try from every
 * position.
 */
function unpadded(text: string): string {
  let end = text.length
  while (text[end - 1] === '=') end--
  return text.slice(0, end)
}

/** The input of `proof/generate`, with the names used in JSON. */
export interface ProofInput {
  /** Id of the item, observation or block. */
  readonly id: string
  readonly type: ProofType
  readonly format?: 'json' | 'cbor' | undefined
  /** When absent, all witnesses. When empty, none. */
  readonly witnesses?: readonly string[] | undefined
  readonly layout?: 'published' | 'compact' | undefined
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
