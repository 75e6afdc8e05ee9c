// The subscription to the caller's deliveries. Each new or changed delivery is sent as it is when it is read.
import { sql } from 'kysely'
import type { PublishedResource } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import type { Related } from '../../../contract/load_related.ts'
import { rowColumns, SHOWS_ALL, withinRoom } from '../../../contract/row_columns.ts'
import type { DeliveryFeed, DeliveryNews } from '../../../domain/webhooks/deliveries/delivery_listeners.ts'
import { rows } from '../../../store/run.ts'
import type { Sql } from '../../../store/statement.ts'
import { addField, addSubscription, lazy, objectType, type TypeClass } from './decorate.ts'
import type { ListInputs } from './list_inputs.ts'
import { newsSource } from './news_source.ts'
import type { ObjectTypes } from './object_types.ts'
import { readListArguments } from './read_arguments.ts'
import { SCALARS } from './scalars.ts'

interface DeliveryEventParts {
  readonly Root: TypeClass
  readonly types: ObjectTypes
  readonly inputs: ListInputs
  readonly related: Related<Context>
  readonly deliveries: Pick<DeliveryFeed, 'follow'>
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

export function addWebhookDeliveryEvents({
  Root,
  types,
  inputs,
  related,
  deliveries,
}: DeliveryEventParts): void {
  const resource = related('webhook_delivery')
  const Event = objectType('WebhookDeliveryEventsResult', 'What happened to a delivery: one of them is set.')
  addField(Event, 'created', lazy({ type: types.of(resource.type), nullable: true, doc: 'A new one.' }))
  addField(
    Event,
    'updated',
    lazy({ type: types.of(resource.type), nullable: true, doc: 'One that changed.' }),
  )
  addField(
    Event,
    'destroyed',
    lazy({ type: SCALARS.ID, nullable: true, doc: 'Never set: history is pruned in silence.' }),
  )
  const { filter } = inputs.of(resource)
  addSubscription(
    Root,
    {
      name: 'webhookDeliveryEvents',
      slot: { type: Event, nullable: true, doc: 'The caller’s own deliveries, as they are made and change.' },
      args: filter === undefined ? {} : { filter },
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
