// One webhook endpoint: its health, its latest deliveries, its settings, and its actions.
import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { addressPage } from '../receiver/receiver.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { CodeField, TimeField } from '../ui/fields.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { LoadFailed } from '../ui/load/load_failed.tsx'
import { PageHead } from '../ui/plain_page.tsx'
import { Card, Section } from '../ui/section.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { AgainForm } from '../webhooks/again_form.tsx'
import { shownStatus } from '../webhooks/delivery.ts'
import { addressOf, NO_FILTER, useDeliveries } from '../webhooks/delivery_filter.ts'
import { DeliveryRow } from '../webhooks/delivery_row.tsx'
import { type Endpoint, endpoints, nameOf, receiverToken } from '../webhooks/endpoint.ts'
import { EndpointDay } from '../webhooks/endpoint_day.tsx'
import { EditedEndpointForm } from '../webhooks/endpoint_form.tsx'
import { EndpointHealth, EndpointPill, PauseButton } from '../webhooks/endpoint_row.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { PullCard } from '../webhooks/pull_card.tsx'
import { SigningSection } from '../webhooks/signing.tsx'
import { TestSample } from '../webhooks/test_sample.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookEndpointPage = ({ id }: { id: string }) => {
  const pulse = useStreamPulse('webhook_deliveries')
  const loaded = useDocument(endpoints.at(id), { read: endpoints.readOne, pulse })
  return (
    <DocumentPage
      what="Endpoint"
      id={id}
      loaded={loaded}
      missing="You have no webhook endpoint of this id. It may have been deleted; its deliveries are still listed."
    >
      {(endpoint) => <Found endpoint={endpoint} pulse={pulse} />}
    </DocumentPage>
  )
}

const Found = ({ endpoint, pulse }: { endpoint: Endpoint; pulse: string }) => {
  const isCalled = endpoint.kind === 'push'
  const token = receiverToken(endpoint)
  return (
    <div className="webhooks">
      <title>{`${nameOf(endpoint)} · Pharos`}</title>
      <PageHead
        kind={isCalled ? 'Webhook endpoint' : 'Webhook endpoint, read by a program'}
        state={<EndpointPill endpoint={endpoint} />}
        name={
          <span className="address-lines" title={endpoint.url || undefined}>
            {nameOf(endpoint)}
          </span>
        }
        act={
          <div className="acts">
            <PauseButton endpoint={endpoint} />
          </div>
        }
      >
        {isCalled && endpoint.description !== null && (
          <p>
            <Shown text={endpoint.description} />
          </p>
        )}
        <EndpointHealth endpoint={endpoint} />
      </PageHead>
      <WebhookPlaces />
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <EndpointDay endpoint={endpoint} />
          <Recent endpoint={endpoint} />
          <Section title="Settings">
            <EditedEndpointForm key={endpoint.id} endpoint={endpoint} />
          </Section>
          <SigningSection key={endpoint.id} endpoint={endpoint} />
        </div>
        <div className="side">
          {!isCalled && <PullCard endpoint={endpoint} pulse={pulse} />}
          <Card title="Try it">
            <p className="card-note">
              {isCalled
                ? 'One sample, sent at once and not again, also while it is off.'
                : 'One sample, which waits for your program like any event.'}
            </p>
            <TestSample endpoint={endpoint} />
            {token !== null && (
              <p className="card-note receiver-link">
                It leads to the built-in receiver: <Link to={addressPage(token)}>see what arrives</Link>.
              </p>
            )}
            {isCalled && token === null && <LocalTrial />}
          </Card>
          <Card title="Once more">
            <AgainForm key={endpoint.id} endpoint={endpoint} />
          </Card>
          <Card title="About it">
            <dl className="fields stacked">
              <CodeField name="id" value={endpoint.id} />
              <TimeField name="registered" time={endpoint.insertedAt} />
            </dl>
            <div className="acts">
              <DeleteEndpoint endpoint={endpoint} />
            </div>
          </Card>
        </div>
      </div>
    </div>
  )
}

/** Deletes an endpoint after a question. Its deliveries stay. */
const DeleteEndpoint = ({ endpoint }: { endpoint: Endpoint }) => {
  const [, navigate] = useLocation()
  return (
    <EndButton
      caption="Delete…"
      title="Delete this endpoint?"
      words={{ no: 'Keep it', yes: 'Delete it', running: 'Deleting…' }}
      testId="delete"
      end={async ({ api }) => {
        await api.delete(endpoints.at(endpoint.id))
        navigate('/webhooks', { replace: true })
      }}
    >
      <p>
        <code className="address-lines">{nameOf(endpoint)}</code>
      </p>
      <p>
        {endpoint.kind === 'push' ? 'It is not called any more' : 'It cannot be read any more'}, and what
        still waits for it is cancelled. Its deliveries stay listed, but can no longer be sent again.
      </p>
    </EndButton>
  )
}

const RECENT = 6

const Recent = ({ endpoint: { id } }: { endpoint: Endpoint }) => {
  const filter = useMemo(() => ({ ...NO_FILTER, endpoint: id }), [id])
  const { list, state } = useDeliveries(filter)
  const rows = state.rows.slice(0, RECENT)
  return (
    <Section title={<>Deliveries {rows.length > 0 && <Link to={addressOf(filter)}>See all</Link>}</>}>
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
        {rows.map((row, at) => (
          <li key={row.id} data-testid="delivery-row" data-status={shownStatus(row)}>
            <DeliveryRow delivery={row} arrived={row.id === state.arrived} above={rows[at - 1]?.insertedAt} />
          </li>
        ))}
      </ol>
    </Section>
  )
}
