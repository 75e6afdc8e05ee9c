// An item's claims: what is dropped before hashing and what is refused.
import { instantMs } from './instant.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from './json_value.ts'
import { checkSubmittable, type SubmissionReason } from './submission_json.ts'

/** Digest lengths in hex characters. */
export const HASH_TYPES = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  sha3_224: 56,
  sha3_256: 64,
  sha3_384: 96,
  sha3_512: 128,
  blake2s: 64,
  blake2b: 128,
} as const

export type HashType = keyof typeof HASH_TYPES

/** Of the canonical text in UTF-8. The caller, who has that text, checks it: every bundle must fit our own verify route. */
export const MAX_CANONICAL_CLAIMS_BYTES = 65_536

export type ClaimsReason =
  | 'required'
  | 'unknown_member'
  | 'wrong_type'
  | 'too_short'
  | 'too_long'
  | 'nul_character'
  | 'uppercase_hex'
  | 'not_hex'
  | 'wrong_length'
  | 'unknown_hash_type'
  | 'not_https'
  | 'not_iso_8601'
  | 'out_of_range'
  | SubmissionReason

export interface ClaimsProblem {
  /** Member names from the claims object inwards, such as `['location', 'latitude']`; empty for the object as a whole. */
  path: string[]
  reason: ClaimsReason
  /** A sentence's worth for people, without the path. */
  message: string
}

export function isHashType(name: string): name is HashType {
  return Object.hasOwn(HASH_TYPES, name)
}

/** What is validated, stored, hashed and carried: null members of the claims and of `location` left out, `metadata` kept as it is. */
export function dropNulls(claims: JsonObject): JsonObject {
  const kept = withoutNulls(claims)
  const location = memberOf(kept, 'location')
  if (isJsonObject(location)) kept.location = withoutNulls(location)
  return kept
}

/** Every problem at once (of the rules of `submission_json.ts` the first), none for good claims. Expects `dropNulls` done. */
export function checkClaims(stored: JsonObject): ClaimsProblem[] {
  const problems: ClaimsProblem[] = []
  for (const [name, value] of Object.entries(stored)) {
    const check = MEMBERS.get(name)
    if (check === undefined) problems.push(unknownMember([name]))
    else problems.push(...check(value, stored))
  }
  if (!Object.hasOwn(stored, 'name')) problems.push(required(['name'], 'name is required'))
  problems.push(...pairProblems(stored))
  const unsubmittable = checkSubmittable(stored)
  if (unsubmittable !== undefined)
    problems.push({
      path: unsubmittable.segments,
      reason: unsubmittable.reason,
      message: unsubmittable.message,
    })
  return problems
}

type MemberCheck = (value: JsonValue, claims: JsonObject) => ClaimsProblem[]

/** A Map, so that `constructor` is no member. */
const MEMBERS = new Map<string, MemberCheck>([
  ['name', (value) => textProblems('name', value, 1, 64)],
  ['description', (value) => textProblems('description', value, 0, 256)],
  ['hash', hashProblems],
  ['hash_type', hashTypeProblems],
  ['url', urlProblems],
  ['timestamp', timestampProblems],
  ['location', locationProblems],
  [
    'metadata',
    (value) => (isJsonObject(value) ? [] : [wrongType(['metadata'], 'metadata must be an object')]),
  ],
])

/** Length in code points. U+0000 is JSON, but name and description are kept as text columns too, which cannot hold it. */
function textProblems(member: string, value: JsonValue, least: number, most: number): ClaimsProblem[] {
  if (typeof value !== 'string') return [wrongType([member], `${member} must be a string`)]
  const problems: ClaimsProblem[] = []
  const length = codePoints(value)
  if (length < least)
    problems.push({ path: [member], reason: 'too_short', message: `${member} must not be empty` })
  if (length > most)
    problems.push({ path: [member], reason: 'too_long', message: `${member} has at most ${most} characters` })
  if (value.includes('\0'))
    problems.push({ path: [member], reason: 'nul_character', message: `${member} must not contain U+0000` })
  return problems
}

function hashProblems(hash: JsonValue, claims: JsonObject): ClaimsProblem[] {
  const path = ['hash']
  if (typeof hash !== 'string') return [wrongType(path, 'hash must be a string of lowercase hex')]
  const problems: ClaimsProblem[] = []
  if (!/^[0-9a-fA-F]*$/.test(hash))
    problems.push({ path, reason: 'not_hex', message: 'hash must be lowercase hex' })
  else if (/[A-F]/.test(hash)) problems.push({ path, reason: 'uppercase_hex', message: UPPERCASE_REFUSED })
  const type = memberOf(claims, 'hash_type')
  if (typeof type === 'string' && isHashType(type)) {
    const length = HASH_TYPES[type]
    if (hash.length !== length)
      problems.push({ path, reason: 'wrong_length', message: `a ${type} hash has ${length} characters` })
  } else if (hash.length < 32 || hash.length > 128 || hash.length % 2 !== 0) {
    const message = 'hash has an even number of characters, from 32 to 128'
    problems.push({ path, reason: 'wrong_length', message })
  }
  return problems
}

const UPPERCASE_REFUSED =
  'hash must be lowercase hex: uppercase is refused, because what is hashed is exactly what was sent'

function hashTypeProblems(type: JsonValue): ClaimsProblem[] {
  if (typeof type !== 'string') return [wrongType(['hash_type'], 'hash_type must be a string')]
  if (isHashType(type)) return []
  const message = `hash_type must be one of ${Object.keys(HASH_TYPES).join(', ')}`
  return [{ path: ['hash_type'], reason: 'unknown_hash_type', message }]
}

function urlProblems(url: JsonValue): ClaimsProblem[] {
  if (typeof url !== 'string') return [wrongType(['url'], 'url must be a string')]
  return url.startsWith('https://')
    ? []
    : [{ path: ['url'], reason: 'not_https', message: 'url must start with https://' }]
}

function timestampProblems(timestamp: JsonValue): ClaimsProblem[] {
  if (typeof timestamp !== 'string') return [wrongType(['timestamp'], 'timestamp must be a string')]
  if (instantMs(timestamp) !== undefined) return []
  const message = 'timestamp must be an ISO 8601 date and time with offset, such as 2027-01-01T00:01:40Z'
  return [{ path: ['timestamp'], reason: 'not_iso_8601', message }]
}

function locationProblems(location: JsonValue): ClaimsProblem[] {
  if (!isJsonObject(location)) return [wrongType(['location'], 'location must be an object')]
  const unknown = Object.keys(location).filter((name) => name !== 'latitude' && name !== 'longitude')
  return [
    ...coordinateProblems(location, 'latitude', 90),
    ...coordinateProblems(location, 'longitude', 180),
    ...unknown.map((name) => unknownMember(['location', name])),
  ]
}

function coordinateProblems(location: JsonObject, name: string, limit: number): ClaimsProblem[] {
  const path = ['location', name]
  const value = memberOf(location, name)
  if (value === undefined) return [required(path, `location needs a ${name}`)]
  if (typeof value !== 'number' && typeof value !== 'bigint')
    return [wrongType(path, `${name} must be a number`)]
  if (value >= -limit && value <= limit) return []
  return [{ path, reason: 'out_of_range', message: `${name} must lie between -${limit} and ${limit}` }]
}

/** Something must be claimed: a digest with its type, or else words or metadata. */
function pairProblems(claims: JsonObject): ClaimsProblem[] {
  const hasHash = Object.hasOwn(claims, 'hash')
  const hasType = Object.hasOwn(claims, 'hash_type')
  if (hasHash && hasType) return []
  if (hasHash) return [required(['hash_type'], 'hash_type is required with hash')]
  if (hasType) return [required(['hash'], 'hash is required with hash_type')]
  const description = memberOf(claims, 'description')
  const metadata = memberOf(claims, 'metadata')
  if (typeof description === 'string' && codePoints(description) >= 32) return []
  if (isJsonObject(metadata) && Object.keys(metadata).length > 0) return []
  return [
    required(
      ['hash'],
      'hash is required without a description of at least 32 characters or a non-empty metadata',
    ),
  ]
}

function required(path: string[], message: string): ClaimsProblem {
  return { path, reason: 'required', message }
}

function wrongType(path: string[], message: string): ClaimsProblem {
  return { path, reason: 'wrong_type', message }
}

function unknownMember(path: string[]): ClaimsProblem {
  return { path, reason: 'unknown_member', message: 'is not a member of claims' }
}

function withoutNulls(object: JsonObject): JsonObject {
  // fromEntries defines members, so `__proto__` stays one.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
