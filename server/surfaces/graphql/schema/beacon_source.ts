// Beacons as an async iterator: every one after a place in the chain, in order, without gaps.
import { normalizeUuid7 } from '../../../../shared/proof/uuid7.ts'
import type { Beacon } from '../../../../shared/wire/console_stream.ts'
import { streamRefusalCodes } from '../../../../shared/wire/console_stream.ts'
import type { PlacedBeacon } from '../../../domain/beacons/beacon.ts'
import type { Replacement } from '../../../domain/beacons/beacon_feed.ts'
import type { CatchUp } from '../../../domain/beacons/catch_up.ts'
import { refuse } from '../../../kernel/refusal.ts'

type News = Beacon | Replacement

/**
 * Opens the source of one `beaconCreated`.
 * @param key identifies the caller, whose subscriptions share turns
 * @param after the unchecked argument; without it the source begins after the head
 * @throws invalid_argument; unknown_beacon with the head to begin again at
 */
export type OpenBeacons = (key: string, after: unknown) => Promise<AsyncIterable<News>>

export const beaconSources =
  (beacons: CatchUp): OpenBeacons =>
  async (key, after) =>
    beaconSource(beacons, key, await placeAfter(beacons, after))

async function placeAfter({ feed, placeOf }: CatchUp, after: unknown): Promise<PlacedBeacon> {
  if (after === undefined || after === null) return feed.head()
  const id = typeof after === 'string' ? normalizeUuid7(after) : undefined
  if (id === undefined)
    throw refuse('invalid_argument', { path: ['after'], detail: 'must be a UUIDv7, in either case' })
  const place = await placeOf(id)
  if (place !== undefined) return place
  const { unknown_beacon: detail } = streamRefusalCodes
  throw refuse('unknown_beacon', { path: ['after'], detail, meta: { head: feed.head().beacon } })
}

/** Milliseconds of this thread that one event costs: each is executed as an operation of its own. */
const EVENT_MS = 0.15

/**
 * Reads only what is asked for, so no more than its place and the rest of one page waits for a slow client. Yields a
 * Replacement when the chain was replaced, and goes on after the new head. Listening starts with the call and ends with
 * `return`.
 */
export function beaconSource(
  { feed, forReader }: CatchUp,
  key: string,
  after: PlacedBeacon,
): AsyncGenerator<News, undefined, undefined> {
  let cursor = after
  /** What was read beyond the cursor. */
  let page: readonly PlacedBeacon[] = []
  /** It was at the head once, so what it lacks since is new, and costs each subscription no more than the chain grows. */
  let live = false
  let replacement: Replacement | undefined
  let wake: (() => void) | undefined
  let over = false
  const stop = feed.onBeacon(() => wake?.())
  const stopReplaced = feed.onReplaced((news) => {
    replacement = news
    cursor = news.head
    page = []
    wake?.()
  })
  const end = (): void => {
    over = true
    stop()
    stopReplaced()
    wake?.()
  }
  const readPage = forReader({
    key,
    place: () => (over ? undefined : cursor),
    take: (beacons) => {
      page = beacons
      return beacons.length * EVENT_MS
    },
  })
  const isBehind = (): boolean => cursor.beacon.hash !== feed.head().beacon.hash
  const takeNext = (): News | undefined => {
    const told = replacement
    replacement = undefined
    if (told !== undefined) return told
    live ||= !isBehind()
    const follower = feed.follower(cursor)
    // A live beacon needs neither a query nor a turn. Older ones do, or they would cost nothing again and again.
    const isNew = live || follower?.height === feed.head().height
    const next = page[0] ?? (isNew ? follower : undefined)
    if (next === undefined) return undefined
    page = page.slice(1)
    cursor = next
    return next.beacon
  }
  const done = { done: true, value: undefined } as const
  return {
    next: async () => {
      // Events that are there already would follow each other without a pause for anybody else.
      if (isBehind()) await new Promise((resolve) => setImmediate(resolve))
      for (;;) {
        if (over) return done
        const value = takeNext()
        if (value !== undefined) return { done: false, value }
        if (isBehind()) await readPage()
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
    return: async () => {
      end()
      return done
    },
    throw: async (error: unknown) => {
      end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => end(),
  }
}

/**
 * Returns the beacon. Throws a replaced chain as the error of this one event; the subscription
 * continues after the new head.
 */
export function beaconIn(news: News): Beacon {
  if (!('lost' in news)) return news
  throw refuse('chain_replaced', { meta: { head: news.head.beacon, lost: news.lost.beacon } })
}
