// The deliveries to the caller's endpoints, live and newest first. The address holds the filter.
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { isNarrowed } from '../data/list_filter.ts'
import { ReceiverOffer } from '../receiver/receiver_offer.tsx'
import { Button } from '../ui/button.tsx'
import { FilterChoice, FilterMinute } from '../ui/form/filter_fields.tsx'
import { count } from '../ui/format.ts'
import { LiveLine, LiveRows } from '../ui/list/live_rows.tsx'
import { PauseControls } from '../ui/list/pause_controls.tsx'
import { LoadFailed } from '../ui/load/load_failed.tsx'
import { type DeliveryStatus, STATUSES, shownStatus } from '../webhooks/delivery.ts'
import {
  addressOf,
  type DeliveryFilter,
  MAX_ROWS,
  NO_FILTER,
  readFilter,
  useDeliveries,
} from '../webhooks/delivery_filter.ts'
import { DeliveryRow } from '../webhooks/delivery_row.tsx'
import { type Endpoint, nameOf, useEndpoints } from '../webhooks/endpoint.ts'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { WebhookPage } from '../webhooks/webhook_places.tsx'

export const WebhookDeliveriesPage = () => {
  const said = useSearch()
  const filter = useMemo(() => readFilter(said), [said])
  const loaded = useEndpoints()
  const endpoints = loaded.kind === 'found' ? loaded.value.rows : []
  const nameOfId = (id: string): string => {
    const endpoint = endpoints.find((one) => one.id === id)
    if (endpoint !== undefined) return nameOf(endpoint)
    return loaded.kind === 'found' ? 'deleted endpoint' : ''
  }
  return (
    <WebhookPage title="Deliveries" intro="What your endpoints were told, and what came of it.">
      <FilterBar filter={filter} endpoints={endpoints} />
      <Listed key={said} filter={filter} nameOf={nameOfId} />
    </WebhookPage>
  )
}

type ListedProps = { readonly filter: DeliveryFilter; readonly nameOf: (endpointId: string) => string }

const Listed = ({ filter, nameOf }: ListedProps) => {
  const { list, state, rows, unseen } = useDeliveries(filter)
  const { first, heldAt } = state
  return (
    <section aria-label="Deliveries" aria-busy={first.kind === 'loading'}>
      <div className="list-head">
        <LiveLine state={state} shown={rows.length} rows="deliveries" />
        <PauseControls list={list} isHeld={heldAt !== null} unseen={unseen} />
      </div>
      {first.kind === 'failed' && <LoadFailed why={first.why} onAgain={list.read} />}
      {first.kind === 'read' && state.rows.length === 0 && <Empty filter={filter} />}
      <LiveRows
        rows={rows}
        label="Deliveries, newest first"
        testId="delivery-row"
        older={state.older}
        onOlder={list.loadOlder}
        words={OLDER_WORDS}
        marks={(delivery) => ({ 'data-status': shownStatus(delivery) })}
      >
        {(delivery, index) => (
          <DeliveryRow
            delivery={delivery}
            to={nameOf(delivery.endpointId)}
            arrived={delivery.id === state.arrived}
            above={rows[index - 1]?.insertedAt}
          />
        )}
      </LiveRows>
    </section>
  )
}

const OLDER_WORDS = {
  rows: 'deliveries',
  end: 'That is all. Deliveries are kept for 31 days.',
  bounded: `This page keeps the newest ${count(MAX_ROWS)}; narrow the filter to see older ones.`,
}

const Empty = ({ filter }: { filter: DeliveryFilter }) => {
  const narrowed = isNarrowed(filter)
  return (
    <div className="empty" data-testid="no-deliveries">
      <h2>{narrowed ? 'Nothing like that' : 'Nothing was sent yet'}</h2>
      <p>
        {narrowed
          ? 'No delivery of the last 31 days fits this filter. One that does will show up here by itself.'
          : 'Deliveries show up here as they happen: register an endpoint, then send it a test or submit an item.'}
      </p>
      {!narrowed && (
        <>
          <ReceiverOffer />
          <LocalTrial />
        </>
      )}
    </div>
  )
}

type FilterBarProps = { readonly filter: DeliveryFilter; readonly endpoints: readonly Endpoint[] }

/** The API has one status for what waits for its first attempt or its reader and for what is tried again. */
const STATUS_WORDS: { readonly [status in DeliveryStatus]?: string } = {
  pending: 'pending, not read, retrying',
  success: 'success, or read',
}

/** The address holds the filter, so that a filtered list can be shared. */
const FilterBar = ({ filter, endpoints }: FilterBarProps) => {
  const [, navigate] = useLocation()
  const show = (wanted: DeliveryFilter): void => navigate(addressOf(wanted), { replace: true })
  const narrow = (part: Partial<DeliveryFilter>): void => show({ ...filter, ...part })
  const unknown = filter.endpoint !== null && !endpoints.some(({ id }) => id === filter.endpoint)
  return (
    <search className="filters filter-bar" aria-label="Narrow the list">
      <FilterChoice
        label="Status"
        any="any status"
        value={filter.status}
        options={STATUSES.map((status) => [status, STATUS_WORDS[status] ?? status])}
        onChange={(status) => narrow({ status })}
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
          ...endpoints.map((endpoint): [string, string] => [endpoint.id, nameOf(endpoint)]),
          ...(unknown ? [[filter.endpoint ?? '', 'a deleted endpoint'] satisfies [string, string]] : []),
        ]}
        onChange={(endpoint) => narrow({ endpoint })}
      />
      <FilterMinute label="From" value={filter.from} onChange={(from) => narrow({ from })} />
      <FilterMinute label="To" value={filter.to} onChange={(to) => narrow({ to })} />
      {isNarrowed(filter) && (
        <Button look="text" data-testid="clear-filter" onClick={() => show(NO_FILTER)}>
          Show all
        </Button>
      )}
    </search>
  )
}
