// New identifiers with real randomness. Where the time in an id matters, the caller passes it; here it is the process's.
import { randomFillSync } from 'node:crypto'
import { uuid7From } from '../../shared/proof/uuid7.ts'

const RANDOM_BYTES = 10

/** Drawn for many ids at once: a draw costs more than the bytes. No byte is used twice. */
const drawn = Buffer.alloc(256 * RANDOM_BYTES)
let used = drawn.length

/** A UUIDv7 for records whose id time nobody relies on (accounts, keys, error ids). */
export function newUuid7(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const randomness = drawn.subarray(used, used + RANDOM_BYTES)
  used += RANDOM_BYTES
  return uuid7From(Date.now(), randomness)
}
