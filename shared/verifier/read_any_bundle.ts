// Reads a bundle in any form: JSON, CBOR, CBOR as base64 text, or one of them inside the answer of the API.
import { BundleRejected, type RejectionReason } from '../proof/bundle/bundle_rejected.ts'
import {
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../proof/bundle/read_bundle.ts'
import { fromBase64 } from '../proof/bytes.ts'
import { isJsonObject, type JsonValue, memberOf } from '../proof/json_value.ts'
import { readStrictJson } from '../proof/strict_json.ts'
import { StrictJsonError } from '../proof/strict_json_error.ts'

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
  try {
    return answeredIn(readStrictJson(text))
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}

/**
 * Ignores line breaks, which mail and terminals add. Accepts the URL alphabet and missing padding, which some
 * tools write.
 */
function fromBase64Text(text: string): ReadBundle {
  const plain = unpadded(text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'))
  try {
    return readBundleCbor(fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')))
  } catch (error) {
    if (error instanceof RangeError) throw new BundleRejected('not_a_json_object')
    throw error
  }
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
