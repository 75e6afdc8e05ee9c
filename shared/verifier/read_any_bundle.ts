// A bundle in whatever dress it comes: JSON, CBOR, CBOR as base64 text, or any of them inside the answer of the API.
import { BundleRejected } from '../proof/bundle/bundle_rejected.ts'
import {
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../proof/bundle/read_bundle.ts'
import { fromBase64 } from '../proof/bytes.ts'
import { isJsonObject, memberOf } from '../proof/json_value.ts'
import { readStrictJson } from '../proof/strict_json.ts'
import { StrictJsonError } from '../proof/strict_json_error.ts'

/** What is longer is no bundle that any service of this kind hands out. */
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
/** A CBOR map or tag starts here or above, and no base64 text does. */
const FIRST_BEYOND_ASCII = 0x80

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** `{"result": …}` alone is what `proof/generate` answers, saved as it came. */
function fromJson(bytes: Uint8Array): ReadBundle {
  const answered = resultOf(bytes)
  if (typeof answered === 'string') return fromBase64Text(answered)
  return isJsonObject(answered) ? readBundleObject(answered) : readBundleJson(bytes)
}

function resultOf(bytes: Uint8Array) {
  try {
    const value = readStrictJson(bytes)
    return isJsonObject(value) && Object.keys(value).length === 1 ? memberOf(value, 'result') : undefined
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}

/** Mail and terminals break long lines, and some tools use the URL alphabet or leave the padding out. */
function fromBase64Text(text: string): ReadBundle {
  const plain = unpadded(text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'))
  try {
    return readBundleCbor(fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')))
  } catch (error) {
    if (error instanceof RangeError) throw new BundleRejected('not_a_json_object')
    throw error
  }
}

/** Not by an expression that looks for the end: on a megabyte of padding it would try from every place. */
function unpadded(text: string): string {
  let end = text.length
  while (text[end - 1] === '=') end--
  return text.slice(0, end)
}
