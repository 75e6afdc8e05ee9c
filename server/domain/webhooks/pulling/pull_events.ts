// One request of a reader of a pull endpoint: what is there, or what comes while it waits.
import type { Sealing } from '../../../store/seal.ts'
import type { PullWaits } from './pull_waits.ts'
import { type Asked, type PulledPage, readEvents } from './read_events.ts'

/** Seconds that a reader may wait at most. */
export const LONGEST_WAIT_SECONDS = 30

/** A request that waits takes no place from those that are worked on. */
export interface Aside {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly rest: () => void
  /** @throws overloaded */
  readonly resume: () => void
}

interface PullEvents extends Sealing {
  readonly waits: Pick<PullWaits, 'enter'>
}

interface How {
  readonly waitMs: number
  /** Absent where nobody may wait. */
  readonly aside?: Aside | undefined
  /** Characters of all bodies together. */
  readonly room: number
}

/**
 * Answers at once when anything is beyond the place, or as soon as something comes while it waits.
 * @throws rate_limited when it would have to wait and has no place; overloaded; and as `readEvents` says
 */
export async function pullEvents(
  { waits, ...sealing }: PullEvents,
  asked: Asked,
  { waitMs, aside, room }: How,
): Promise<PulledPage> {
  const page = await readEvents(sealing, asked, room)
  const isEmpty = page.events.length === 0 && page.place.id === asked.after.id
  if (!isEmpty || waitMs === 0 || aside === undefined) return page
  const place = waits.enter(asked)
  aside.rest()
  const hasMore = await place.wait(page.place, waitMs, aside.signal).finally(place.leave)
  aside.resume()
  return hasMore ? readEvents(sealing, { ...asked, after: page.place }, room) : page
}
