// What one run of `pharos stamp` works with, and what comes of it.
import { randomFillSync } from 'node:crypto'
import type { Surroundings } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { SALT_BYTES, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { askAgain } from '../ask/patience.ts'
import { type Accepted, type Acceptor, acceptAll } from './accept.ts'
import type { Hasher } from './hasher.ts'
import type { Places } from './places.ts'
import type { Telling } from './telling.ts'

export interface Stamping {
  readonly surroundings: Surroundings
  readonly acceptor: Acceptor
  readonly hasher: Hasher
  readonly places: Places
  readonly telling: Telling
}

/** @throws Complaint */
export const acceptPatiently = (
  { surroundings, acceptor }: Stamping,
  entries: readonly TreeEntry[],
  files?: number,
): Promise<Accepted[]> => askAgain(surroundings.terminal, () => acceptAll(acceptor, entries, files))

export const otherAt = (place: string, advice: string): Complaint =>
  new Complaint(`${place} is there already, and is about something else. It is not overwritten.`, { advice })

export const sharedPlace = (place: string, path: string): Complaint =>
  new Complaint(`${place} would be the evidence of two files called ${path}.`, {
    advice: 'Stamp them by two commands, each with a place of its own: -o <folder>/',
  })

const POOL = new Uint8Array(4_096 * SALT_BYTES)
let used = POOL.length

/** 16 bytes that nobody else has. Many are made at once, because asking for them takes longer than hashing an entry. */
export function newSalt(): Uint8Array {
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  used += SALT_BYTES
  return POOL.slice(used - SALT_BYTES, used)
}
