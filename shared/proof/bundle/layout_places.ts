// The kind of every place in a bundle: which texts are byte strings in CBOR, and which maps are hashed; and how CBOR
// becomes the JSON document that it encodes, place by place.
import { toBase64, toBase64Url, toHex } from '../bytes.ts'
import { ENTROPY_NAMES } from '../entropy_names.ts'
import { type JsonObject, type JsonValue, setMember } from '../json_value.ts'
import { BundleRejected } from './bundle_parts.ts'
import { type CborMap, type CborValue, FOREIGN } from './read_cbor.ts'

/**
 * `hex` and `base64`: text in JSON, a byte string in CBOR.
 * `hashed`: stays in the JSON value space, because its canonical text is hashed.
 * `hex_text` and `base64url_text`: written as text in both. Readers also accept byte strings in CBOR, because
 * older tools write them.
 * `plain`: the same in both. Members that are not listed are `plain`.
 */
export type MemberForm =
  | 'hex'
  | 'base64'
  | 'hex_text'
  | 'base64url_text'
  | 'hashed'
  | 'plain'
  | { readonly members: Readonly<Record<string, MemberForm>> }
  | { readonly each: MemberForm }

const BLOCK_MAP: MemberForm = {
  members: { previous_block_hash: 'hex', merkle_root: 'hex', signing_key_id: 'hex', metadata: 'hashed' },
}

const COMMITMENTS: MemberForm = {
  each: { members: { epoch_merkle_root: 'hex', transaction_hash: 'hex', block_merkle_root: 'hex' } },
}

export const PUBLISHED_PLACES: MemberForm = {
  members: {
    public_key: 'base64',
    signature: 'base64',
    subject: {
      members: {
        signing_key_id: 'hex',
        claims: 'hashed',
        entropy: 'hashed',
        metadata: 'hashed',
        witnesses: {
          members: {
            block: BLOCK_MAP,
            ...Object.fromEntries(ENTROPY_NAMES.map((name) => [name, 'hashed'] as const)),
          },
        },
      },
    },
    block: BLOCK_MAP,
    block_path: { each: BLOCK_MAP },
    commitments: COMMITMENTS,
    signing_key_event: { members: { block: BLOCK_MAP, commitments: COMMITMENTS } },
  },
}

export const COMPACT_PLACES: MemberForm = {
  members: {
    pk: 'base64',
    sig: 'base64',
    ip: 'base64url_text',
    s: { members: { d: 'hashed', mh: 'hex', kid: 'hex' } },
    b: { members: { ph: 'hex', mr: 'hex', mh: 'hex', kid: 'hex' } },
    cx: {
      each: {
        members: {
          ep: 'base64url_text',
          tx: 'hex',
          memo: 'hex',
          op: 'hex',
          bmr: 'hex',
          rtx: 'hex_text',
          txp: 'hex_text',
        },
      },
    },
  },
}

/**
 * Byte strings become hex or base64 where `place` says so. Elsewhere they count as absent, like every other
 * value that JSON does not have.
 * In a hashed place such a value is a rejection instead, because leaving it out would hash a document that
 * nobody wrote.
 */
export function documentOf(map: CborMap, place: MemberForm): JsonObject {
  const object: JsonObject = {}
  for (const [name, value] of Object.entries(map)) {
    const member = readBack(value, memberPlace(place, name))
    if (member !== undefined) setMember(object, name, member)
  }
  return object
}

/** Undefined means absent. */
function readBack(value: CborValue, place: MemberForm): JsonValue | undefined {
  if (place === 'hashed') return hashedValue(value)
  if (value instanceof Uint8Array) return textOfBytes(value, place)
  if (value === FOREIGN) return undefined
  if (Array.isArray(value)) return value.map((entry) => readBack(entry, entryPlace(place)) ?? null)
  return typeof value === 'object' && value !== null ? documentOf(value, place) : value
}

function textOfBytes(bytes: Uint8Array, place: MemberForm): string | undefined {
  switch (place) {
    case 'hex':
    case 'hex_text':
      return toHex(bytes)
    case 'base64':
      return toBase64(bytes)
    case 'base64url_text':
      return toBase64Url(bytes)
    default:
      return undefined
  }
}

/** Returns the same object, not a copy: hashed values can be large. */
function hashedValue(value: CborValue): JsonValue {
  if (!isJson(value)) throw new BundleRejected('invalid_subject_data')
  return value
}

function isJson(value: CborValue): value is JsonValue {
  if (typeof value !== 'object' || value === null) return value !== FOREIGN
  if (Array.isArray(value)) return value.every(isJson)
  if (value instanceof Uint8Array) return false
  for (const name of Object.keys(value)) if (!isJson(value[name] ?? null)) return false
  return true
}

export function memberPlace(place: MemberForm, name: string): MemberForm {
  if (typeof place === 'string' || !('members' in place) || !Object.hasOwn(place.members, name))
    return 'plain'
  return place.members[name] ?? 'plain'
}

export function entryPlace(place: MemberForm): MemberForm {
  return typeof place === 'object' && 'each' in place ? place.each : 'plain'
}
