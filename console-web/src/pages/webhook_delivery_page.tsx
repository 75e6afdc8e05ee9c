// One delivery: every attempt with its checks, request and answer, and a button to send it again.

import { useLocation } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { shownText } from '../ui/shown_text.tsx'
import { AttemptList } from '../webhooks/attempt_list.tsx'
import {
  DELIVERIES_PATH,
  type Delivery,
  type DeliveryDetail,
  deliveryPath,
  outcomeWords,
  readDeliveryDocument,
  readDeliveryResult,
  shownStatus,
} from '../webhooks/delivery.ts'
import { DeliveryFacts } from '../webhooks/delivery_facts.tsx'
import { DeliveryPill } from '../webhooks/delivery_row.tsx'
import { endpointPath, readEndpointDocument } from '../webhooks/endpoint.ts'
import { RequestPanel } from '../webhooks/request_panel.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

/** A fallback for when the stream is not connected. Normally the stream reports changes. */
const freshMs = ({ status }: Delivery): number | null => (status === 'pending' ? 15_000 : null)

export const WebhookDeliveryPage = ({ id }: { id: string }) => {
  const pulse = useStreamPulse('webhook_deliveries', id)
  const loaded = useDocument(deliveryPath(id), { read: readDeliveryDocument, pulse, freshMs })
  return (
    <DocumentPage
      what="Delivery"
      id={id}
      loaded={loaded}
      missing="You have no delivery of this id. Deliveries are kept for 31 days."
    >
      {(delivery) => <Found delivery={delivery} pulse={pulse} />}
    </DocumentPage>
  )
}

const Found = ({ delivery, pulse }: { delivery: DeliveryDetail; pulse: string }) => {
  const asked = useDocument(endpointPath(delivery.endpointId), { read: readEndpointDocument })
  const endpoint = asked.kind === 'found' ? asked.value : null
  const gone = asked.kind === 'missing'
  const status = shownStatus(delivery)
  return (
    <div className="webhooks">
      <title>{`${delivery.eventType}, ${status} · Pharos`}</title>
      <header className="page-head">
        <p className="page-kind">
          Delivery
          <DeliveryPill delivery={delivery} testId="delivery-status" />
        </p>
        <h1>{delivery.eventType}</h1>
        <p role="status">{outcomeWords(delivery)}.</p>
      </header>
      <WebhookPlaces here={null} />
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <section aria-labelledby="attempts">
            <h2 id="attempts" className="section-title">
              Attempts
            </h2>
            <AttemptList delivery={delivery} attempts={delivery.attemptLog} />
          </section>
          <Body title="What is sent" text={JSON.stringify(delivery.payload, null, 2)} testId="payload" />
          {delivery.attempts > 0 && (
            <Body
              title="What was answered"
              note="the first 16 KiB of the last answer"
              text={delivery.responseBody ?? ''}
              testId="response"
            />
          )}
          {/* Last, because it waits for the endpoint and must not move what is being read. */}
          {endpoint !== null && <RequestPanel delivery={delivery} endpoint={endpoint} />}
        </div>
        <div className="side">
          <section className="card" aria-labelledby="again">
            <h2 id="again">Once more</h2>
            <RedeliverButton delivery={delivery} gone={gone} />
          </section>
          <DeliveryFacts delivery={delivery} endpoint={endpoint} gone={gone} pulse={pulse} />
        </div>
      </div>
    </div>
  )
}

type RedeliverButtonProps = { readonly delivery: Delivery; readonly gone: boolean }

/**
 * Sends a delivery again as a new record with the same bytes and the same webhook-id. A waiting delivery is sent at once.
 */
const RedeliverButton = ({ delivery: { id, status }, gone }: RedeliverButtonProps) => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  return (
    <div className="redeliver">
      <ActButton
        caption="Send it again"
        running="Sending…"
        look="primary"
        testId="redeliver"
        disabled={gone}
        act={async (signal) => {
          const path = `${DELIVERIES_PATH}/${encodeURIComponent(id)}/redeliver`
          const { id: fresh } = readDeliveryResult(await api.post(path, { data: {} }, { signal }))
          navigate(`/webhooks/deliveries/${fresh}`)
        }}
      >
        <p className="card-note">{gone ? GONE : status === 'pending' ? WAITING : AGAIN}</p>
      </ActButton>
    </div>
  )
}

const GONE = 'Its endpoint was deleted, so there is nowhere to send it.'
const AGAIN =
  'A new record with attempts of its own, the same bytes and the same webhook-id: a receiver that knows it may ignore it.'
const WAITING = 'It is still under way: this makes its next attempt at once, and begins no second series.'

type BodyProps = {
  readonly title: string
  readonly note?: string
  readonly text: string
  readonly testId: string
}

const Body = ({ title, note, text, testId }: BodyProps) => (
  <section aria-labelledby={`${testId}-title`}>
    <h2 id={`${testId}-title`} className="section-title">
      {title}
      {note !== undefined && <small>{note}</small>}
    </h2>
    {text === '' ? (
      <p className="card-note">No body came with it.</p>
    ) : (
      <div className="message-body">
        <CopyButton text={text} what={title.toLowerCase()} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
        <pre className="snippet" data-testid={testId} tabIndex={0}>
          <code>{shownText(text)}</code>
        </pre>
      </div>
    )}
  </section>
)
