// Writes a bundle in the published layout, as JSON text or as deterministic CBOR (RFC 8949 section 4.2.1).
import { encode, rfc8949EncodeOptions } from 'cborg'
import { concatBytes, fromBase64, fromHex } from '../bytes.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../json_value.ts'
import type { BlockMap, SparseBundle, SparseEntry, Subject } from './bundle.ts'
import { isPresent, presentMembers } from './bundle_parts.ts'
import { entryNames } from './compact_document.ts'
import { entryPlace, type MemberForm, memberPlace, PUBLISHED_PLACES } from './layout_places.ts'

/** Members in ascending order of name, no white space. */
export function bundleJson(bundle: SparseBundle): string {
  return canonicalJson(bundleDocument(bundle))
}

/**
 * The same bundle always gives the same bytes.
 * @throws RangeError when a key, signature or hash is not in its proper text form
 */
export function bundleCbor(bundle: SparseBundle): Uint8Array {
  return cborOf(bundleDocument(bundle), PUBLISHED_PLACES)
}

/**
 * The JSON document. Contains only listed members that are present: other members of an object never get out,
 * and absent ones are not invented.
 */
function bundleDocument(bundle: SparseBundle): JsonObject {
  const { subject, block, block_path, commitments, signing_key_event } = bundle
  const blocksBetween = block_path ?? []
  return {
    ...presentMembers(bundle, TOP_MEMBERS),
    ...(isPresent(subject) && { subject: subjectMap(subject) }),
    block: blockMap(block),
    ...(blocksBetween.length > 0 && { block_path: blocksBetween.map(blockMap) }),
    commitments: commitments.map(entryMap),
    ...(isPresent(signing_key_event) && { signing_key_event: keyEventMap(signing_key_event) }),
  }
}

/** The top members that are not maps. */
const TOP_MEMBERS = ['version', 'type', 'generated_at', 'public_key', 'signature', 'inclusion_proof'] as const

const BLOCK_MEMBERS = ['id', 'previous_block_hash', 'merkle_root', 'metadata', 'signing_key_id'] as const

const SUBJECT_MEMBERS = ['id', 'claims', 'entropy', 'metadata', 'signing_key_id'] as const

function subjectMap(subject: Subject): JsonObject {
  const details = Object.entries(subject.witnesses ?? {})
    .filter(([, detail]) => isPresent(detail))
    .map(([name, detail]): [string, JsonValue] => [
      name,
      isBlockMap(name, detail) ? blockMap(detail) : detail,
    ])
  return {
    ...presentMembers(subject, SUBJECT_MEMBERS),
    ...(details.length > 0 && { witnesses: Object.fromEntries(details) }),
  }
}

function isBlockMap(name: string, detail: BlockMap | JsonObject): detail is BlockMap {
  return name === 'block' && 'merkle_root' in detail
}

function blockMap(block: BlockMap): JsonObject {
  return presentMembers(block, BLOCK_MEMBERS)
}

/** A commitment entry in the published layout. */
export function entryMap(entry: SparseEntry): JsonObject {
  return presentMembers(entry, ['chain', ...Object.values(entryNames(entry.chain))])
}

function keyEventMap({ block, commitments }: NonNullable<SparseBundle['signing_key_event']>): JsonObject {
  return {
    block: blockMap(block),
    ...(isPresent(commitments) && { commitments: commitments.map(entryMap) }),
  }
}

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
  if (Array.isArray(value)) return value.map((entry) => encodable(entry, entryPlace(place)))
  // A Map, so that a member called `__proto__` is an ordinary member.
  return new Map(
    Object.entries(value).map(([name, member]) => [name, encodable(member, memberPlace(place, name))]),
  )
}

/** A double when reading it back gives the same canonical digits, otherwise a 64-bit integer. */
function keptInteger(value: bigint): number | bigint {
  if (String(Number(value)) === String(value)) return Number(value)
  if (value >= -(1n << 64n) && value < 1n << 64n) return value
  throw new RangeError('an integer beyond 64 bits has no form in CBOR without tags')
}
