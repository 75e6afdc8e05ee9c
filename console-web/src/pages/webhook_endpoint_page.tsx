// One webhook endpoint: its health, its latest deliveries, its settings, and its actions.
import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useLiveList } from '../data/stream/live_list.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { CodeField, TimeField } from '../ui/fields.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { LoadFailed } from '../ui/load/load_failed.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { shownStatus } from '../webhooks/delivery.ts'
import { addressOf, deliveriesOf, NO_FILTER } from '../webhooks/delivery_filter.ts'
import { DeliveryRow } from '../webhooks/delivery_row.tsx'
import {
  type Endpoint,
  endpointPath,
  isOwnReceiver,
  readEndpointDocument,
  receiverPage,
  shortUrl,
} from '../webhooks/endpoint.ts'
import { EndpointDay } from '../webhooks/endpoint_day.tsx'
import { EditedEndpointForm } from '../webhooks/endpoint_form.tsx'
import { EndpointHealth, EndpointPill, PauseButton } from '../webhooks/endpoint_row.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { RecoverForm } from '../webhooks/recover_form.tsx'
import { TestButton, TestOutcome, useTest } from '../webhooks/test_sample.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookEndpointPage = ({ id }: { id: string }) => {
  const pulse = useStreamPulse('webhook_deliveries')
  const loaded = useDocument(endpointPath(id), { read: readEndpointDocument, pulse })
  return (
    <DocumentPage
      what="Endpoint"
      id={id}
      loaded={loaded}
      missing="You have no webhook endpoint of this id. It may have been deleted; its deliveries are still listed."
    >
      {(endpoint) => <Found endpoint={endpoint} onChanged={loaded.again} />}
    </DocumentPage>
  )
}

const Found = ({ endpoint, onChanged }: { endpoint: Endpoint; onChanged: () => void }) => {
  const [, navigate] = useLocation()
  const testing = useTest(endpoint)
  return (
    <div className="webhooks">
      <title>{`${shortUrl(endpoint.url)} · Pharos`}</title>
      <header className="page-head">
        <p className="page-kind">
          Webhook endpoint
          <EndpointPill endpoint={endpoint} />
        </p>
        <h1 className="address-lines" title={endpoint.url}>
          {shortUrl(endpoint.url)}
        </h1>
        {endpoint.description !== null && (
          <p>
            <Shown text={endpoint.description} />
          </p>
        )}
        <EndpointHealth endpoint={endpoint} />
      </header>
      <WebhookPlaces here={null} />
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <EndpointDay endpointId={endpoint.id} />
          <Recent endpoint={endpoint} />
          <section aria-labelledby="settings">
            <h2 id="settings" className="section-title">
              Settings
            </h2>
            <EditedEndpointForm key={endpoint.id} endpoint={endpoint} onSaved={onChanged} />
          </section>
        </div>
        <div className="side">
          <section className="card" aria-labelledby="try">
            <h2 id="try">Try it</h2>
            <p className="card-note">One sample, sent at once and not again, also while it is paused.</p>
            <div className="card-acts">
              <TestButton testing={testing} />
              <PauseButton endpoint={endpoint} onChanged={onChanged} />
            </div>
            <TestOutcome testing={testing} />
            {isOwnReceiver(endpoint) ? (
              <p className="card-note receiver-link">
                It leads to the built-in receiver: <Link to={receiverPage(endpoint)}>see what arrives</Link>.
              </p>
            ) : (
              <LocalTrial />
            )}
          </section>
          <section className="card" aria-labelledby="recover">
            <h2 id="recover">After an outage</h2>
            <p className="card-note">
              Sends again what failed or was cancelled, each with the webhook-id it had. What was sent again
              already is left out.
            </p>
            <RecoverForm endpoint={endpoint} />
          </section>
          <section className="card" aria-labelledby="about">
            <h2 id="about">About it</h2>
            <dl className="fields stacked">
              <CodeField name="id" value={endpoint.id} />
              <TimeField name="registered" time={endpoint.insertedAt} />
            </dl>
            <div className="card-acts">
              <DeleteEndpoint
                endpoint={endpoint}
                onDeleted={() => navigate('/webhooks', { replace: true })}
              />
            </div>
          </section>
        </div>
      </div>
    </div>
  )
}

type DeleteEndpointProps = { readonly endpoint: Endpoint; readonly onDeleted: () => void }

/** Deletes an endpoint after a question. Its deliveries stay. */
const DeleteEndpoint = ({ endpoint, onDeleted }: DeleteEndpointProps) => {
  const { api } = useConsole()
  return (
    <EndButton
      caption="Delete…"
      title="Delete this endpoint?"
      words={{ no: 'Keep it', yes: 'Delete it', running: 'Deleting…' }}
      testId="delete"
      end={async (signal) => void (await api.delete(endpointPath(endpoint.id), signal))}
      onEnded={onDeleted}
    >
      <p>
        <code className="address-lines">{shortUrl(endpoint.url)}</code>
      </p>
      <p>
        It is not called any more, and what still waits for it is cancelled. Its deliveries stay listed, but
        can no longer be sent again.
      </p>
    </EndButton>
  )
}

const RECENT = 6

const Recent = ({ endpoint: { id } }: { endpoint: Endpoint }) => {
  const filter = useMemo(() => ({ ...NO_FILTER, endpoint: id }), [id])
  const { list, state } = useLiveList(useMemo(() => deliveriesOf(filter), [filter]))
  const rows = state.rows.slice(0, RECENT)
  return (
    <section aria-labelledby="recent">
      <h2 id="recent" className="section-title">
        Deliveries
        {rows.length > 0 && <Link to={addressOf(filter)}>See all</Link>}
      </h2>
      {state.first.kind === 'failed' && <LoadFailed why={state.first.why} onAgain={list.read} />}
      {state.first.kind === 'read' && rows.length === 0 && (
        <p className="card-note">
          None yet. Send a test, or submit an item: what happens shows here at once.
        </p>
      )}
      <ol
        className="list recent-rows"
        aria-label="Newest deliveries"
        aria-busy={state.first.kind === 'loading'}
      >
        {rows.map((delivery) => (
          <li key={delivery.id} data-testid="delivery-row" data-status={shownStatus(delivery)}>
            <DeliveryRow delivery={delivery} to={null} arrived={delivery.id === state.arrived} />
          </li>
        ))}
      </ol>
    </section>
  )
}
