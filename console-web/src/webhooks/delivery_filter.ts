// The live list of deliveries, and its filter in three forms: in the address, in the request, and as a test on events.
import { objectAt } from '../data/json_object.ts'
import { endOfMinute, readMinute, startOfMinute } from '../data/minute.ts'
import type { ListRules } from '../data/stream/live_list.ts'
import {
  DELIVERIES_PATH,
  type Delivery,
  type DeliveryStatus,
  isLater,
  readDelivery,
  readDeliveryPage,
  STATUSES,
} from './delivery.ts'

export type DeliveryFilter = {
  readonly status: DeliveryStatus | null
  readonly event: string | null
  readonly endpoint: string | null
  /** Minutes in UTC in the form of a time field, `2027-01-01T00:01`. Both `from` and `to` are inclusive. */
  readonly from: string | null
  readonly to: string | null
}

export const NO_FILTER: DeliveryFilter = { status: null, event: null, endpoint: null, from: null, to: null }

const PAGE = '/webhooks/deliveries'

/** Ignores values in the address that are not valid. */
export const readFilter = (search: string): DeliveryFilter => {
  const given = new URLSearchParams(search)
  const word = (name: string): string | null => given.get(name)?.slice(0, 200) || null
  return {
    status: STATUSES.find((one) => one === word('status')) ?? null,
    event: word('event'),
    endpoint: word('endpoint'),
    from: readMinute(given.get('from')),
    to: readMinute(given.get('to')),
  }
}

export const addressOf = (filter: DeliveryFilter): string => {
  const said = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== null) said.set(name, value)
  const text = said.toString()
  return text === '' ? PAGE : `${PAGE}?${text}`
}

export const requestOf = ({ status, event, endpoint, from, to }: DeliveryFilter, limit: number): string => {
  const asked = new URLSearchParams({ 'page[limit]': String(limit) })
  if (status !== null) asked.set('filter[status]', status)
  if (event !== null) asked.set('filter[event_type]', event)
  if (endpoint !== null) asked.set('filter[endpoint_id]', endpoint)
  if (from !== null) asked.set('filter[inserted_at][gte]', startOfMinute(from))
  if (to !== null) asked.set('filter[inserted_at][lt]', endOfMinute(to))
  return `${DELIVERIES_PATH}?${asked}`
}

export const fits = ({ status, event, endpoint, from, to }: DeliveryFilter, delivery: Delivery): boolean =>
  (status === null || delivery.status === status) &&
  (event === null || delivery.eventType === event) &&
  (endpoint === null || delivery.endpointId === endpoint) &&
  (from === null || delivery.insertedAt >= startOfMinute(from)) &&
  (to === null || delivery.insertedAt < endOfMinute(to))

export const MAX_ROWS = 5_000

export const deliveriesOf = (filter: DeliveryFilter): ListRules<Delivery> => ({
  path: (limit) => requestOf(filter, limit),
  page: readDeliveryPage,
  most: MAX_ROWS,
  fits: (delivery) => fits(filter, delivery),
  isLater,
  stream: 'webhook_deliveries',
  heard: (event, body) => (event.startsWith('delivery.') ? readDelivery(objectAt(body, 'data')) : null),
})
