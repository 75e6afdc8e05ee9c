// What one run of `pharos stamp` works with, and what comes of it.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { askAgain } from '../service/patience.ts'
import { type Acceptor, acceptAll } from './accept.ts'
import type { Accepted } from './by_door.ts'
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
