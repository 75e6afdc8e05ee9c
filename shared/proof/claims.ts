// The claims of an item: what is dropped before hashing, and what is refused.
import { hasAtLeast, hasAtMost } from './code_points.ts'
import { instantMs } from './instant.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from './json_value.ts'
import { checkSubmittable, type SubmissionReason } from './submission_json.ts'

/** Length of each digest in hex characters. */
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

/** Bounds of the members: texts in code points, coordinates in degrees. */
export const CLAIMS_BOUNDS = {
  name: { minimum: 1, maximum: 64 },
  description: { minimum: 0, maximum: 256 },
  hash: { minimum: 32, maximum: 128 },
  latitude: { minimum: -90, maximum: 90 },
  longitude: { minimum: -180, maximum: 180 },
} as const

/** From this many code points on, a description is enough without a hash. */
export const TELLING = 32

/**
 * Bytes of the canonical text in UTF-8. The caller has that text and must check it. The limit exists because
 * every bundle must fit the verify route.
 */
export const MAX_CANONICAL_CLAIMS_BYTES = 65_536

type ClaimsReason =
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
  /**
   * Member names from the claims object inwards, such as `['location', 'latitude']`. Empty for the whole
   * object.
   */
  path: string[]
  reason: ClaimsReason
  /** A message for people, without the path. */
  message: string
  /** The violated bound, if there is one. */
  bound?: { readonly minimum?: number; readonly maximum?: number }
}

export function isHashType(name: string): name is HashType {
  return Object.hasOwn(HASH_TYPES, name)
}

/**
 * The form that is validated, stored, hashed and carried: without the null members of the claims and of
 * `location`. `metadata` is unchanged.
 */
export function dropNulls(claims: JsonObject): JsonObject {
  const kept = withoutNulls(claims)
  const location = memberOf(kept, 'location')
  if (!isJsonObject(location)) return kept
  const place = withoutNulls(location)
  return place === location ? kept : { ...kept, location: place }
}

/**
 * All problems at once, but only the first one by the rules of `submission_json.ts`. Empty for good claims.
 * Call `dropNulls` before.
 */
export const checkClaims = (stored: JsonObject): ClaimsProblem[] => [...claimsProblems(stored)]

/** As `checkClaims`, one problem at a time, so that a caller can stop early. */
export function* claimsProblems(stored: JsonObject): Generator<ClaimsProblem> {
  // Checks known members first, so that their problems are reported however many unknown members there are.
  for (const [name, check] of MEMBERS) {
    const value = memberOf(stored, name)
    if (value !== undefined) yield* check(value, stored)
  }
  if (!Object.hasOwn(stored, 'name')) yield required(['name'], 'name is required')
  yield* pairProblems(stored)
  const unsubmittable = checkSubmittable(stored)
  if (unsubmittable !== undefined) yield unsubmittable
  for (const name of Object.keys(stored)) if (!MEMBERS.has(name)) yield unknownMember([name])
}

type MemberCheck = (value: JsonValue, claims: JsonObject) => Iterable<ClaimsProblem>

/** A Map, so that `constructor` is not found as a member. */
const MEMBERS = new Map<string, MemberCheck>([
  ['name', (value) => textProblems('name', value)],
  ['description', (value) => textProblems('description', value)],
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

/**
 * The length counts code points. U+0000 is valid JSON but refused, because PostgreSQL text columns cannot
 * hold it.
 */
function* textProblems(member: 'name' | 'description', value: JsonValue): Generator<ClaimsProblem> {
  const path = [member]
  if (typeof value !== 'string') return yield wrongType(path, `${member} must be a string`)
  const { minimum, maximum } = CLAIMS_BOUNDS[member]
  if (!hasAtLeast(value, minimum))
    yield { path, reason: 'too_short', message: `${member} must not be empty`, bound: { minimum } }
  if (!hasAtMost(value, maximum))
    return yield {
      path,
      reason: 'too_long',
      message: `${member} has at most ${maximum} characters`,
      bound: { maximum },
    }
  if (value.includes('\0'))
    yield { path, reason: 'nul_character', message: `${member} must not contain U+0000` }
}

function* hashProblems(hash: JsonValue, claims: JsonObject): Generator<ClaimsProblem> {
  const path = ['hash']
  if (typeof hash !== 'string') return yield wrongType(path, 'hash must be a string of lowercase hex')
  const { minimum, maximum } = CLAIMS_BOUNDS.hash
  if (hash.length <= maximum) {
    if (!/^[0-9a-fA-F]*$/.test(hash)) yield { path, reason: 'not_hex', message: 'hash must be lowercase hex' }
    else if (/[A-F]/.test(hash)) yield { path, reason: 'uppercase_hex', message: UPPERCASE_REFUSED }
  }
  const type = memberOf(claims, 'hash_type')
  if (typeof type === 'string' && isHashType(type)) {
    const length = HASH_TYPES[type]
    const message = `a ${type} hash has ${length} characters`
    const bound = { minimum: length, maximum: length }
    if (hash.length !== length) yield { path, reason: 'wrong_length', message, bound }
  } else if (hash.length < minimum || hash.length > maximum || hash.length % 2 !== 0) {
    const message = `hash has an even number of characters, from ${minimum} to ${maximum}`
    yield { path, reason: 'wrong_length', message, bound: { minimum, maximum } }
  }
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

function* locationProblems(location: JsonValue): Generator<ClaimsProblem> {
  if (!isJsonObject(location)) return yield wrongType(['location'], 'location must be an object')
  yield* coordinateProblems(location, 'latitude')
  yield* coordinateProblems(location, 'longitude')
  for (const name of Object.keys(location))
    if (name !== 'latitude' && name !== 'longitude') yield unknownMember(['location', name])
}

function coordinateProblems(location: JsonObject, name: 'latitude' | 'longitude'): ClaimsProblem[] {
  const path = ['location', name]
  const value = memberOf(location, name)
  if (value === undefined) return [required(path, `location needs a ${name}`)]
  if (typeof value !== 'number' && typeof value !== 'bigint')
    return [wrongType(path, `${name} must be a number`)]
  const bound = CLAIMS_BOUNDS[name]
  if (value >= bound.minimum && value <= bound.maximum) return []
  const message = `${name} must lie between ${bound.minimum} and ${bound.maximum}`
  return [{ path, reason: 'out_of_range', message, bound }]
}

/**
 * Claims must have a digest with its type, or else a description of at least `TELLING` characters or some
 * metadata.
 */
function pairProblems(claims: JsonObject): ClaimsProblem[] {
  const hasHash = Object.hasOwn(claims, 'hash')
  const hasType = Object.hasOwn(claims, 'hash_type')
  if (hasHash && hasType) return []
  if (hasHash) return [required(['hash_type'], 'hash_type is required with hash')]
  if (hasType) return [required(['hash'], 'hash is required with hash_type')]
  const description = memberOf(claims, 'description')
  const metadata = memberOf(claims, 'metadata')
  if (typeof description === 'string' && hasAtLeast(description, TELLING)) return []
  if (isJsonObject(metadata) && Object.keys(metadata).length > 0) return []
  return [
    required(
      ['hash'],
      `hash is required without a description of at least ${TELLING} characters or a non-empty metadata`,
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

/** Returns the object itself when it has no null members. */
function withoutNulls(object: JsonObject): JsonObject {
  if (!Object.values(object).includes(null)) return object
  // fromEntries defines members instead of assigning them, so `__proto__` stays an ordinary member.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** blake2s and blake2b in their full lengths, which are the ones we publish. */
const OPENSSL_NAMES: Partial<Record<HashType, string>> = { blake2s: 'blake2s256', blake2b: 'blake2b512' }

export const opensslName = (type: HashType): string => OPENSSL_NAMES[type] ?? type.replace('_', '-')
