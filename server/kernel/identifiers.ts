// Identifiers and secrets: new ones, of real randomness and the time of this process, and identifiers of a given time. How
// they are spelled is in shared/proof/ids.ts.
import { hash, randomBytes } from 'node:crypto'
import { toHex } from '../../shared/proof/bytes.ts'
import { CROCKFORD, TIME_LENGTH } from '../../shared/proof/ids.ts'

const RANDOM_BYTES = 10

/** Random bytes are drawn and written as hex for many ids at once, because a draw costs more than its bytes. */
const DRAWN_IDS = 256

let drawn = ''
let used = 0

/** A UUIDv7 for records whose time inside the id is not relied on (accounts, keys, error ids). */
export function newUuid7(): string {
  // No digit is used twice.
  if (used === drawn.length) {
    drawn = randomBytes(DRAWN_IDS * RANDOM_BYTES).toString('hex')
    used = 0
  }
  const randomness = drawn.slice(used, used + 2 * RANDOM_BYTES)
  used += 2 * RANDOM_BYTES
  return uuid7FromHex(Date.now(), randomness)
}

/** A secret of 256 bits of randomness. It is told once, and only its hash is stored. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form. The secret is random, so a fast hash is enough, and the lookup by hash tells nothing of it. */
export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')

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
function uuid7FromHex(ms: number, hex: string): string {
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
