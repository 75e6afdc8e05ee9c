// Ids of everything except items: UUID version 7 (RFC 9562 section 5.7). 48 bits of milliseconds, then random
// bits.
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
