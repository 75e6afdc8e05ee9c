// Writes deterministic CBOR (RFC 8949 section 4.2.1) of a document. `MemberForm` says which texts become byte
// strings.
import { encode, rfc8949EncodeOptions } from 'cborg'
import { concatBytes, fromBase64, fromHex } from '../bytes.ts'
import type { JsonObject, JsonValue } from '../json_value.ts'
import type { MemberForm } from './layout_places.ts'

/**
 * Starts with the self-described CBOR tag.
 * @throws RangeError when a place of bytes holds other text, or when CBOR cannot hold a number
 */
export function cborOf(document: JsonObject, places: MemberForm): Uint8Array {
  return concatBytes(SELF_DESCRIBED_TAG, plainCborOf(document, places))
}

/** As `cborOf`, without the tag and for any value. */
export function plainCborOf(value: JsonValue, places: MemberForm = 'plain'): Uint8Array {
  return encode(encodable(value, places), rfc8949EncodeOptions)
}

const SELF_DESCRIBED_TAG = Uint8Array.of(0xd9, 0xd9, 0xf7)

type Encodable = null | boolean | number | bigint | string | Uint8Array | Encodable[] | Map<string, Encodable>

function encodable(value: JsonValue, place: MemberForm): Encodable {
  switch (typeof value) {
    case 'string':
      if (place === 'hex') return fromHex(value)
      return place === 'base64' ? fromBase64(value) : value
    case 'number':
      return value === 0 ? 0 : value // -0 is 0
    case 'bigint':
      return keptInteger(value)
    case 'boolean':
      return value
  }
  if (value === null) return null
  if (Array.isArray(value)) {
    const entryPlace = typeof place === 'object' && 'each' in place ? place.each : 'plain'
    return value.map((entry) => encodable(entry, entryPlace))
  }
  // A Map, so that a member called `__proto__` is an ordinary member.
  const members = typeof place === 'object' && 'members' in place ? place.members : {}
  const placeOf = (name: string): MemberForm =>
    (Object.hasOwn(members, name) ? members[name] : undefined) ?? 'plain'
  return new Map(Object.entries(value).map(([name, member]) => [name, encodable(member, placeOf(name))]))
}

/** A double when reading it back gives the same canonical digits, otherwise a 64-bit integer. */
function keptInteger(value: bigint): number | bigint {
  if (String(Number(value)) === String(value)) return Number(value)
  if (value >= -(1n << 64n) && value < 1n << 64n) return value
  throw new RangeError('an integer beyond 64 bits has no form in CBOR without tags')
}
