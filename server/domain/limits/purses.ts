// The purses of one budget on one server, limited in number. The least recently used make room for new ones.

import type { Terms } from './budgets.ts'
import { type Now, openPurse, type Purse } from './purse.ts'

/** A purse takes a few hundred bytes. A flood of subjects in one budget does not remove purses of another. */
const MOST_PURSES = 20_000

/** After this time a bucket has refilled and a window has ended, so closing the purse loses nothing. */
const UNUSED_MS = 90_000

/**
 * Milliseconds. A purse that is used all the time moves behind the others this often, because moving it costs more than
 * finding it. No process has as many requests in this time as it has purses.
 */
const MOVED_EVERY_MS = 2

/** Number of purses examined to make room. Purses with a pending ask or with waiting charges stay. */
const CANDIDATES = 16

export function createPurses(terms: Terms, onClosed: (purse: Purse) => void) {
  /** Least recently used first. */
  const open = new Map<string, Purse>()

  const close = (purse: Purse): void => {
    open.delete(purse.subject)
    onClosed(purse)
  }

  /** Continues where it stopped. Starting again would pass over all entries deleted since. */
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
        if (now.ms - found.movedAt >= MOVED_EVERY_MS) {
          found.movedAt = now.ms
          open.delete(subject)
          open.set(subject, found)
        }
        return found
      }
      if (open.size >= MOST_PURSES) makeRoom()
      const purse = openPurse(terms, subject, now)
      open.set(subject, purse)
      return purse
    },
    /** Closes purses that were not used for a while. */
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
