// The subscription to beacons: every one after a place in the chain, in order, without gaps.
import { normalizeUuid7 } from '../../../../shared/proof/ids.ts'
import { type Beacon, streamRefusalCodes } from '../../../../shared/wire/console_stream.ts'
import type { PlacedBeacon } from '../../../domain/beacons/beacon.ts'
import type { Replacement } from '../../../domain/beacons/beacon_feed.ts'
import type { CatchUp } from '../../../domain/beacons/catch_up.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { addSubscription, type TypeClass } from './decorate.ts'
import { newsSource } from './news_source.ts'
import type { ObjectTypes } from './object_types.ts'
import { SCALARS } from './scalars.ts'

type News = Beacon | Replacement

/**
 * Opens the source of one `beaconCreated`.
 * @param key identifies the caller, whose subscriptions share turns
 * @param after the unchecked argument; without it the source begins after the head
 * @throws invalid_argument; unknown_beacon with the head to begin again at
 */
export type OpenBeacons = (key: string, after: unknown) => Promise<AsyncIterable<News>>

export function addBeaconCreated(Subscription: TypeClass, types: ObjectTypes, beacons: OpenBeacons): void {
  const slot = {
    type: types.of('beacon'),
    doc: 'Every new beacon, in order and without gaps. When the chain was replaced, one event has the error `chain_replaced` with the new `head` and the `lost` beacon, and it goes on from there.',
  }
  const after = {
    type: SCALARS.String,
    nullable: true,
    doc: 'The id of the last beacon that was seen: those after it come first. Without it only new ones come. One that the ledger does not have is refused with `unknown_beacon` and the `head` to begin again at.',
  }
  addSubscription(
    Subscription,
    { name: 'beaconCreated', slot, args: { after } },
    ({ caller }, given) => beacons(caller.userId, given.after),
    (news) => types.present('beacon', beaconIn(news)),
  )
}

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
): AsyncIterableIterator<News, undefined> {
  let cursor = after
  /** What was read beyond the cursor. */
  let page: readonly PlacedBeacon[] = []
  let replacement: Replacement | undefined
  const isBehind = (): boolean => cursor.beacon.hash !== feed.head().beacon.hash
  /** It was at the head once, so what it lacks since is new, and costs each subscription no more than the chain grows. */
  let live = !isBehind()
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
  const readPage: () => Promise<void> = forReader({
    key,
    place: () => (isOver() ? undefined : cursor),
    take: (beacons) => {
      page = beacons
      return beacons.length * EVENT_MS
    },
  })
  const { news, wake, isOver } = newsSource(
    takeNext,
    () => (isBehind() ? readPage() : undefined),
    () => {
      stop()
      stopReplaced()
    },
  )
  const stop = feed.onBeacon(wake)
  const stopReplaced = feed.onReplaced((replaced) => {
    replacement = replaced
    cursor = replaced.head
    page = []
    wake()
  })
  return news
}

/**
 * Returns the beacon. Throws a replaced chain as the error of this one event; the subscription
 * continues after the new head.
 */
function beaconIn(news: News): Beacon {
  if (!('lost' in news)) return news
  throw refuse('chain_replaced', { meta: { head: news.head.beacon, lost: news.lost.beacon } })
}
