// The live list of deliveries, and its filter in three forms: in the address, in the request, and as a test on events.
import { insertedIn, isWithin, minute, pathWith, saidIn, word } from '../data/list_filter.ts'
import { objectAt, oneOf, shape } from '../data/shape.ts'
import type { ListRules } from '../data/stream/list_rules.ts'
import { liveListOf } from '../data/stream/use_live_list.ts'
import { type Delivery, deliveries, isLater, readDelivery, STATUSES } from './delivery.ts'

const LONGEST = 200

const readFields = shape({
  status: oneOf(STATUSES),
  event: word(LONGEST),
  endpoint: word(LONGEST),
  from: minute,
  to: minute,
})

export type DeliveryFilter = ReturnType<typeof readFields>

/** Ignores values in the address that are not valid. */
export const readFilter = (search: string): DeliveryFilter => readFields(saidIn(search))

export const NO_FILTER = readFilter('')

export const addressOf = (filter: DeliveryFilter): string => pathWith('/webhooks/deliveries', filter)

export const requestOf = (filter: DeliveryFilter, limit: number): string =>
  pathWith(deliveries.path, {
    'page[limit]': String(limit),
    'filter[status]': filter.status,
    'filter[event_type]': filter.event,
    'filter[endpoint_id]': filter.endpoint,
    ...insertedIn(filter),
  })

export const fits = (filter: DeliveryFilter, delivery: Delivery): boolean =>
  (filter.status === null || delivery.status === filter.status) &&
  (filter.event === null || delivery.eventType === filter.event) &&
  (filter.endpoint === null || delivery.endpointId === filter.endpoint) &&
  isWithin(filter, delivery.insertedAt)

export const MAX_ROWS = 5_000

export const deliveriesOf = (filter: DeliveryFilter): ListRules<Delivery> => ({
  paths: (limit) => [requestOf(filter, limit)],
  page: deliveries.readPage,
  most: MAX_ROWS,
  fits: (delivery) => fits(filter, delivery),
  isLater,
  streams: ['webhook_deliveries'],
  heard: (event, body) =>
    event.startsWith('delivery.') ? { row: readDelivery(objectAt(body, 'data')) } : { read: 'all' },
})

export const useDeliveries = liveListOf(deliveriesOf, addressOf)
