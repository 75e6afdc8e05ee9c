// New identifiers from real randomness. When the time inside an id matters, the caller passes it. Otherwise it is the
// time of this process.
import { randomFillSync } from 'node:crypto'
import { uuid7From } from '../../shared/proof/uuid7.ts'

const RANDOM_BYTES = 10

/** Random bytes are drawn for many ids at once, because a draw costs more than its bytes. No byte is used twice. */
const drawn = Buffer.alloc(256 * RANDOM_BYTES)
let used = drawn.length

/** A UUIDv7 for records whose time inside the id is not relied on (accounts, keys, error ids). */
export function newUuid7(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const randomness = drawn.subarray(used, used + RANDOM_BYTES)
  used += RANDOM_BYTES
  return uuid7From(Date.now(), randomness)
}
