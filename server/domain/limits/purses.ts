// The purses of one budget on one server, bounded: who has not been seen for longest makes room for who comes.
import { type Now, openPurse, type Purse } from './purse.ts'
import type { Terms } from './terms.ts'

export interface Purses {
  readonly of: (subject: string, now: Now) => Purse
  /** Closes those that nobody has used for a while. */
  readonly sweep: (now: Now) => void
  readonly size: () => number
}

/** Each is a few hundred bytes. A flood of subjects in one budget does not push out those of another. */
export const MOST_PURSES = 20_000

/** After this a bucket is whole and a window over: nothing is lost. */
const UNUSED_MS = 90_000

/** So many are looked at for one that may go: those with an ask under way or somebody waiting stay. */
const CANDIDATES = 16

export function createPurses(terms: Terms, onClosed: (purse: Purse) => void): Purses {
  /** Least recently used first. */
  const open = new Map<string, Purse>()

  const close = (purse: Purse): void => {
    open.delete(purse.subject)
    onClosed(purse)
  }

  /** Goes on where it stopped: beginning anew each time would step over everything deleted since. */
  let oldest = open.values()
  const makeRoom = (): void => {
    for (let looked = 0; looked < CANDIDATES; looked += 1) {
      const { value, done } = oldest.next()
      if (done === true) oldest = open.values()
      else if (!isBusy(value)) close(value)
      if (open.size < MOST_PURSES) return
    }
  }

  return Object.freeze({
    of: (subject: string, now: Now) => {
      const found = open.get(subject)
      if (found !== undefined) {
        open.delete(subject)
        open.set(subject, found)
        return found
      }
      if (open.size >= MOST_PURSES) makeRoom()
      const purse = openPurse(terms, subject, now)
      open.set(subject, purse)
      return purse
    },
    sweep: (now: Now) => {
      for (const purse of open.values()) {
        if (now.ms - purse.usedAt < UNUSED_MS) return
        if (!isBusy(purse)) close(purse)
      }
    },
    size: () => open.size,
  })
}

const isBusy = (purse: Purse): boolean => purse.pending !== undefined || purse.waiting.length > 0
