// The deliveries to the caller's endpoints, live and newest first. The address holds the filter.
import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { heldBack, type ListState, useLiveList } from '../data/live_list.ts'
import { useDocument } from '../data/use_document.ts'
import { ReceiverOffer } from '../receiver/receiver_offer.tsx'
import { count } from '../ui/format_count.ts'
import { PauseControls } from '../ui/pause_controls.tsx'
import { useKeys } from '../ui/use_keys.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { type DeliveryFilter, deliveriesOf, readFilter } from '../webhooks/delivery_filter.ts'
import { DeliveryRows } from '../webhooks/delivery_rows.tsx'
import { ALL_ENDPOINTS_PATH, readEndpointPage, shortUrl } from '../webhooks/endpoint.ts'
import { FilterBar } from '../webhooks/filter_bar.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookDeliveriesPage = () => {
  const said = useSearch()
  const filter = useMemo(() => readFilter(said), [said])
  const loaded = useDocument(ALL_ENDPOINTS_PATH, { read: readEndpointPage })
  const endpoints = useMemo(() => (loaded.kind === 'found' ? loaded.value.rows : []), [loaded])
  const known = loaded.kind === 'found'
  const nameOf = useCallback(
    (id: string): string => {
      const url = endpoints.find((endpoint) => endpoint.id === id)?.url
      return url === undefined ? (known ? 'deleted endpoint' : '') : shortUrl(url)
    },
    [endpoints, known],
  )
  return (
    <>
      <title>Deliveries · Pharos</title>
      <main className="plain-page webhooks">
        <header className="page-head">
          <h1>Deliveries</h1>
          <p>What your endpoints were sent, and what they answered.</p>
        </header>
        <WebhookPlaces here="deliveries" />
        <FilterBar filter={filter} endpoints={endpoints} />
        <Listed key={said} filter={filter} nameOf={nameOf} />
      </main>
    </>
  )
}

type ListedProps = {
  readonly filter: DeliveryFilter
  readonly nameOf: (endpointId: string) => string
}

const Listed = ({ filter, nameOf }: ListedProps) => {
  const { list, state } = useLiveList(useMemo(() => deliveriesOf(filter), [filter]))
  const { first, heldAt } = state
  const unseen = heldBack(state)
  const rows = useMemo(() => (unseen === 0 ? state.rows : state.rows.slice(unseen)), [state.rows, unseen])
  const toggle = (): void => (heldAt === null ? list.hold() : list.release())
  useKeys({
    p: () => {
      toggle()
      return true
    },
  })
  return (
    <section aria-label="Deliveries" aria-busy={first.kind === 'loading'}>
      <div className="list-head">
        <LiveLine state={state} shown={rows.length} />
        <PauseControls
          paused={heldAt !== null}
          unseen={unseen}
          onToggle={toggle}
          onShowNew={() => {
            list.hold()
            window.scrollTo({ top: 0 })
          }}
        />
      </div>
      {first.kind === 'failed' && (
        <p className="problem" role="alert">
          {first.why}{' '}
          <button type="button" className="text-button" onClick={() => void list.read()}>
            Try again
          </button>
        </p>
      )}
      {first.kind === 'read' && state.rows.length === 0 && <Empty filter={filter} />}
      <DeliveryRows
        rows={rows}
        arrived={state.arrived}
        older={state.older}
        nameOf={nameOf}
        onOlder={list.loadOlder}
      />
    </section>
  )
}

/** The count changes often, so a screen reader announces only the connection. */
const LiveLine = ({
  state: { first, live, older },
  shown,
}: {
  state: ListState<Delivery>
  shown: number
}) => (
  <p className="live-line" data-live={live} data-testid="live-line">
    <span className="status-lamp" aria-hidden="true" />
    <span>
      <span role="status">{live ? 'Live.' : AWAY}</span>{' '}
      {first.kind === 'read' && `${count(shown)}${older.kind === 'end' ? '' : ' or more'} here.`}
      {first.kind === 'loading' && 'Reading the deliveries…'}
    </span>
  </p>
)

const AWAY = 'Not connected. What happens meanwhile is fetched as soon as the connection is back.'

const Empty = ({ filter }: { filter: DeliveryFilter }) => {
  const narrowed = Object.values(filter).some((value) => value !== null)
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
