// One request of a reader of a pull endpoint: what is there, or what comes while it waits.
import type { PullWaits } from './pull_waits.ts'
import { type Asked, type PulledPage, type ReadingEvents, readEvents } from './read_events.ts'

/** Seconds that a reader may wait at most. */
export const LONGEST_WAIT_SECONDS = 30

/** A request that waits takes no place and no turn from those that are worked on. */
export interface Aside {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly rest: () => void
  /** Resolves when it has its turn again. @throws overloaded */
  readonly resume: () => Promise<void>
}

interface PullEvents extends ReadingEvents {
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
  { waits, ...reading }: PullEvents,
  asked: Asked,
  { waitMs, aside, room }: How,
): Promise<PulledPage> {
  const page = await readEvents(reading, asked, room)
  const isEmpty = page.events.length === 0 && page.place.id === asked.after.id
  if (!isEmpty || waitMs === 0 || aside === undefined) return page
  const place = waits.enter(asked)
  aside.rest()
  const hasMore = await place.wait(page.place, waitMs, aside.signal).finally(place.leave)
  await aside.resume()
  return hasMore ? readEvents(reading, { ...asked, after: page.place }, room) : page
}
