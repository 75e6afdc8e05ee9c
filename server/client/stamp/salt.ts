// Salts of entries. Many are made at once, because asking for random bytes takes longer than hashing an entry.
import { randomFillSync } from 'node:crypto'
import { SALT_BYTES } from '../../../shared/evidence/digest_tree.ts'

const POOL = new Uint8Array(4_096 * SALT_BYTES)
let used = POOL.length

/** 16 bytes that nobody else has. */
export function newSalt(): Uint8Array {
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  used += SALT_BYTES
  return POOL.slice(used - SALT_BYTES, used)
}
