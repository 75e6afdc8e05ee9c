// The filter of the list of deliveries, in three forms: in the address, in the request, and as a test on live
// events.
import { DELIVERIES_PATH, type Delivery, type DeliveryStatus, STATUSES } from './delivery.ts'

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
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/** Ignores values in the address that are not valid. */
export const readFilter = (search: string): DeliveryFilter => {
  const given = new URLSearchParams(search)
  const word = (name: string): string | null => given.get(name)?.slice(0, 200) || null
  const minute = (name: string): string | null => {
    const text = word(name)
    return text !== null && MINUTE.test(text) && !Number.isNaN(Date.parse(`${text}Z`)) ? text : null
  }
  return {
    status: STATUSES.find((one) => one === word('status')) ?? null,
    event: word('event'),
    endpoint: word('endpoint'),
    from: minute('from'),
    to: minute('to'),
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
  if (from !== null) asked.set('filter[inserted_at][gte]', startOf(from))
  if (to !== null) asked.set('filter[inserted_at][lt]', endOf(to))
  return `${DELIVERIES_PATH}?${asked}`
}

export const fits = ({ status, event, endpoint, from, to }: DeliveryFilter, delivery: Delivery): boolean =>
  (status === null || delivery.status === status) &&
  (event === null || delivery.eventType === event) &&
  (endpoint === null || delivery.endpointId === endpoint) &&
  (from === null || delivery.insertedAt >= startOf(from)) &&
  (to === null || delivery.insertedAt < endOf(to))

const startOf = (minute: string): string => `${minute}:00.000Z`
const endOf = (minute: string): string => new Date(Date.parse(`${minute}Z`) + 60_000).toISOString()
