// New identifiers from real randomness. When the time inside an id matters, the caller passes it. Otherwise it is the
// time of this process.
import { randomBytes } from 'node:crypto'
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
