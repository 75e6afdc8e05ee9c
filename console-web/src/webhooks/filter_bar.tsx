// The filter of the list of deliveries. The address holds it, so that a filtered list can be shared.
import './webhooks.css'

import { useLocation } from 'wouter'
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { FilterChoice, FilterMinute } from '../ui/form/filter_fields.tsx'
import { type DeliveryStatus, STATUSES } from './delivery.ts'
import { addressOf, type DeliveryFilter, NO_FILTER } from './delivery_filter.ts'
import { type Endpoint, shortUrl } from './endpoint.ts'

type FilterBarProps = { readonly filter: DeliveryFilter; readonly endpoints: readonly Endpoint[] }

/** The API has one status for what waits for its first attempt and for what is tried again. */
const STATUS_WORDS: { readonly [status in DeliveryStatus]?: string } = { pending: 'pending or retrying' }

export const FilterBar = ({ filter, endpoints }: FilterBarProps) => {
  const [, navigate] = useLocation()
  const show = (wanted: DeliveryFilter): void => navigate(addressOf(wanted), { replace: true })
  const narrow = (part: Partial<DeliveryFilter>): void => show({ ...filter, ...part })
  const narrowed = Object.values(filter).some((value) => value !== null)
  const unknown = filter.endpoint !== null && !endpoints.some(({ id }) => id === filter.endpoint)
  return (
    <search className="filter-bar" aria-label="Narrow the list">
      <FilterChoice
        label="Status"
        any="any status"
        value={filter.status}
        options={STATUSES.map((status) => [status, STATUS_WORDS[status] ?? status])}
        onChange={(status) => narrow({ status: STATUSES.find((one) => one === status) ?? null })}
      />
      <FilterChoice
        label="Event"
        any="any event"
        value={filter.event}
        options={EVENT_NAMES.map((name) => [name, name])}
        onChange={(event) => narrow({ event })}
      />
      <FilterChoice
        label="Endpoint"
        any="any endpoint"
        value={filter.endpoint}
        options={[
          ...endpoints.map(({ id, url }): [string, string] => [id, shortUrl(url)]),
          ...(unknown ? [[filter.endpoint ?? '', 'a deleted endpoint'] satisfies [string, string]] : []),
        ]}
        onChange={(endpoint) => narrow({ endpoint })}
      />
      <FilterMinute label="From" value={filter.from} onChange={(from) => narrow({ from })} />
      <FilterMinute label="To" value={filter.to} onChange={(to) => narrow({ to })} />
      {narrowed && (
        <button
          type="button"
          className="text-button"
          data-testid="clear-filter"
          onClick={() => show(NO_FILTER)}
        >
          Show all
        </button>
      )}
    </search>
  )
}
