// The subscriptions: to beacons, every one after a place in the chain, in order, without gaps; and to the caller's
// deliveries, each new or changed one as it is when it is read.
import { sql } from 'kysely'
import { normalizeUuid7 } from '../../../../shared/proof/ids.ts'
import { type Beacon, streamRefusalCodes } from '../../../../shared/wire/console_stream.ts'
import type { PublishedResource } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import { rowColumns, SHOWS_ALL, withinRoom } from '../../../contract/row_columns.ts'
import type { PlacedBeacon } from '../../../domain/beacons/beacon.ts'
import type { Replacement } from '../../../domain/beacons/beacon_feed.ts'
import type { CatchUp } from '../../../domain/beacons/catch_up.ts'
import type { DeliveryFeed, DeliveryNews } from '../../../domain/webhooks/deliveries/delivery_listeners.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { rows, type Sql } from '../../../store/statement.ts'
import { readListArguments } from './arguments.ts'
import { addSubscription, objectType } from './decorate.ts'
import type { RootParts } from './object_types.ts'
import { SCALARS } from './scalars.ts'

type News = Beacon | Replacement

/**
 * Opens the source of one `beaconCreated`.
 * @param key identifies the caller, whose subscriptions share turns
 * @param after the unchecked argument; without it the source begins after the head
 * @throws invalid_argument; unknown_beacon with the head to begin again at
 */
export type OpenBeacons = (key: string, after: unknown) => Promise<AsyncIterable<News>>

export function addBeaconCreated({ Subscription, types }: RootParts, beacons: OpenBeacons): void {
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
export function beaconSource({ feed, forReader }: CatchUp, key: string, after: PlacedBeacon) {
  let cursor = after
  /** What was read beyond the cursor. */
  let page: readonly PlacedBeacon[] = []
  let replacement: Replacement | undefined
  const isBehind = (): boolean => cursor.beacon.hash !== feed.head().beacon.hash
  /** It was at the head once, so what it lacks since is new, and costs each subscription no more than the chain grows. */
  let live = !isBehind()
  const takeNext = (): News | undefined => {
    const replaced = replacement
    replacement = undefined
    if (replaced !== undefined) return replaced
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

/** A delivery's row, and whether it was created or updated. */
interface ShownNews {
  readonly what: DeliveryNews['what']
  readonly row: object
}

/** News that wait for a slow client. With more, the connection is ended. */
const MOST_WAITING = 1_000
/** Deliveries that one query loads. */
const LOADED_AT_ONCE = 100

export function addWebhookDeliveryEvents(
  { Subscription, types, inputs, related }: RootParts,
  deliveries: Pick<DeliveryFeed, 'follow'>,
): void {
  const resource = related('webhook_delivery')
  const type = types.of(resource.type)
  const Event = objectType(
    'WebhookDeliveryEventsResult',
    'What happened to a delivery: one of them is set.',
    {
      created: { type, nullable: true, doc: 'A new one.' },
      updated: { type, nullable: true, doc: 'One that changed.' },
      destroyed: { type: SCALARS.ID, nullable: true, doc: 'Never set: history is pruned in silence.' },
    },
  )
  const { filter } = inputs(resource)
  addSubscription(
    Subscription,
    {
      name: 'webhookDeliveryEvents',
      slot: { type: Event, nullable: true, doc: 'The caller’s own deliveries, as they are made and change.' },
      args: { filter },
    },
    (context, given) => {
      // Read before listening starts, so that a mistake in the filter is refused at once.
      const wanted = readListArguments({ filter: given.filter }, { resource, context, related }, false).filter
        .where
      const load = (news: readonly DeliveryNews[]) => loadNews(resource, context, wanted, news)
      return deliverySource(deliveries, context.caller.userId, load, () => context.hangUp?.())
    },
    ({ what, row }, context) => Object.assign(new Event(), { [what]: types.show(resource, row, context) }),
  )
}

/** Returns the rows in the order of the news, without those that do not match or no longer exist. */
async function loadNews(
  resource: PublishedResource,
  context: Context,
  filter: Sql,
  news: readonly DeliveryNews[],
): Promise<ShownNews[]> {
  const ids = [...new Set(news.map(({ id }) => id))]
  const { list, ...read } = rowColumns(resource, 'r', SHOWS_ALL)
  const select = sql`SELECT ${list} FROM ${sql.table(resource.table)} AS r
    WHERE r.id = ANY(${ids}::text[]) AND ${resource.visible(context, 'r')} AND ${filter}`
  const found = await rows(context.em, withinRoom(read, select, undefined))
  const byId = new Map(found.map((one) => [one.id, resource.hydrate(one)]))
  return news.flatMap(({ id, what }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ what, row }]
  })
}

async function deliverySource(
  deliveries: Pick<DeliveryFeed, 'follow'>,
  userId: string,
  load: (news: readonly DeliveryNews[]) => Promise<ShownNews[]>,
  onOverflow: () => void,
): Promise<AsyncIterable<ShownNews>> {
  const waiting: DeliveryNews[] = []
  let ready: ShownNews[] = []
  const more = async (): Promise<void> => {
    ready = await load(waiting.splice(0, LOADED_AT_ONCE))
  }
  const { news, wake, end } = newsSource(
    () => ready.shift(),
    () => (waiting.length > 0 ? more() : undefined),
    () => stop(),
  )
  const stop: () => void = await deliveries.follow(userId, (one) => {
    waiting.push(one)
    if (waiting.length > MOST_WAITING) {
      end()
      onOverflow()
    }
    wake()
  })
  return news
}

/**
 * News of a subscription as an async iterator: each is taken when it is asked for. Not a generator function, because
 * `return` on a generator that awaits news would not take effect until news arrive.
 * @param take returns the next news, or undefined when none are there
 * @param more called after that: brings more, or returns undefined when there are none before `wake`
 * @param stop called at the end
 */
function newsSource<News>(
  take: () => News | undefined,
  more: () => Promise<unknown> | undefined,
  stop: () => void,
) {
  let over = false
  let wake: (() => void) | undefined
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  const end = (): void => {
    over = true
    stop()
    wake?.()
  }
  const news: AsyncIterableIterator<News, undefined> = {
    next: async () => {
      // News that are there already would follow each other without a pause for anybody else.
      await new Promise((resolve) => setImmediate(resolve))
      while (!over) {
        const value = take()
        if (value !== undefined) return { done: false, value }
        await (more() ?? woken())
      }
      return { done: true, value: undefined }
    },
    return: async () => {
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => news,
  }
  return { news, wake: () => wake?.(), end, isOver: () => over }
}
