// New identifiers and secrets, from real randomness. The time inside an id is that of this process.
import { hash, randomBytes } from 'node:crypto'
import { uuid7FromHex } from '../../shared/proof/ids.ts'

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
