// Ids, each with its time: 48 bits of milliseconds, then random bits. Items have ULIDs, 26 characters of uppercase
// Crockford base32; everything else has UUIDs of version 7 (RFC 9562 section 5.7).
import { toHex } from './bytes.ts'

/**
 * Lowercase with hyphens, version 7, RFC variant, such as `01a2ce8e-9320-7630-bb7f-73edc8868b1d`. The text
 * itself is hashed, so an id has only one spelling.
 */
export function isUuid7(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
}

/** Accepts either case and returns the canonical spelling. Undefined for any other text. */
export function normalizeUuid7(text: string): string | undefined {
  // The text must be ASCII before toLowerCase, because that turns the Kelvin sign into k.
  if (!/^[0-9a-fA-F-]{36}$/.test(text)) return undefined
  const lower = text.toLowerCase()
  return isUuid7(lower) ? lower : undefined
}

/** Milliseconds since 1970. Undefined for other text and other versions. Does not check the variant bits. */
export function uuid7Time(id: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return undefined
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/**
 * `ms` since 1970, below 2^48. `randomness` is exactly 10 bytes; version and variant replace 6 of its bits.
 * @throws RangeError otherwise
 */
export function uuid7From(ms: number, randomness: Uint8Array): string {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms >= 2 ** 48)
    throw new RangeError(`${ms} is no time of a UUIDv7`)
  if (randomness.length !== 10) throw new RangeError('a UUIDv7 takes 10 bytes of randomness')
  return uuid7FromHex(ms, toHex(randomness))
}

/** As `uuid7From`, of randomness that is text already. @param hex 20 lowercase hex digits */
export function uuid7FromHex(ms: number, hex: string): string {
  const time = ms.toString(16).padStart(12, '0')
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(4), 16) % 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-${variant}${hex.slice(5, 8)}-${hex.slice(8)}`
}

/** The first digit of the variant's byte. Two of its bits are random. */
const VARIANTS = '89ab'

/** The smallest id of that millisecond, for ranges of time: all random bits are zero. */
export function uuid7Floor(ms: number): string {
  return uuid7From(ms, new Uint8Array(10))
}

export const ULID_LENGTH = 26

/**
 * Uppercase only and at most 128 bits, such as `01MB78W7FGY7TZHKNWE7WA3Z57`. The text itself is hashed, so an
 * id has only one spelling.
 */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)
}

/**
 * Accepts either case and returns the canonical spelling. Undefined for any other text. Does not accept
 * Crockford's look-alikes (I, L, O).
 */
export function normalizeUlid(text: string): string | undefined {
  if (!/^[0-9a-zA-Z]{26}$/.test(text)) return undefined // ASCII, because toUpperCase turns U+017F into S
  const upper = text.toUpperCase()
  return isUlid(upper) ? upper : undefined
}

/**
 * Milliseconds since 1970.
 * @throws RangeError when the text is not a ULID
 */
export function ulidTime(ulid: string): number {
  if (!isUlid(ulid)) throw new RangeError('not a ULID')
  let ms = 0
  for (const character of ulid.slice(0, TIME_LENGTH)) ms = ms * 32 + CROCKFORD.indexOf(character)
  return ms
}

/**
 * `ms` since 1970, below 2^48. `randomness` is exactly 10 bytes.
 * @throws RangeError otherwise
 */
export function ulidFrom(ms: number, randomness: Uint8Array): string {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms >= 2 ** 48) throw new RangeError(`${ms} is no time of a ULID`)
  if (randomness.length !== 10) throw new RangeError('a ULID takes 10 bytes of randomness')
  let time = ''
  for (let i = 0, rest = ms; i < TIME_LENGTH; i++, rest = Math.floor(rest / 32))
    time = CROCKFORD[rest % 32] + time
  return time + base32(randomness)
}

/** The smallest ULID of that millisecond, for ranges of time. */
export function ulidFloor(ms: number): string {
  return ulidFrom(ms, new Uint8Array(10))
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 10

/** 10 bytes become exactly 16 characters. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = ((bits & 0x1f) << 8) | byte
    for (held += 8; held >= 5; held -= 5) text += CROCKFORD[(bits >>> (held - 5)) & 0x1f]
  }
  return text
}
