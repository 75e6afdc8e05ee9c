// Item ids: ULIDs, 26 characters of uppercase Crockford base32. 48 bits of milliseconds, then 80 random bits.

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
