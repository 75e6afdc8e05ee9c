// One delivery: every attempt with its checks, request and answer, and a button to send it again.
import { useLocation } from 'wouter'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { TextBox } from '../ui/fields.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { PageHead } from '../ui/plain_page.tsx'
import { Card, Section } from '../ui/section.tsx'
import {
  type Delivery,
  type DeliveryDetail,
  deliveries,
  deliveryPath,
  isForReader,
  outcomeWords,
  readDeliveryDocument,
  readDeliveryResult,
  shownStatus,
} from '../webhooks/delivery.ts'
import { AttemptList, DeliveryFacts } from '../webhooks/delivery_record.tsx'
import { DeliveryPill } from '../webhooks/delivery_row.tsx'
import { endpoints } from '../webhooks/endpoint.ts'
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
  const asked = useDocument(endpoints.at(delivery.endpointId), { read: endpoints.readOne })
  const endpoint = asked.kind === 'found' ? asked.value : null
  const gone = asked.kind === 'missing'
  const status = shownStatus(delivery)
  // What was answered to a reader has no duration.
  const requests = delivery.attemptLog.filter(({ durationMs }) => durationMs !== null)
  return (
    <div className="webhooks">
      <title>{`${delivery.eventType}, ${status} · Pharos`}</title>
      <PageHead
        kind="Delivery"
        state={<DeliveryPill delivery={delivery} testId="delivery-status" />}
        name={delivery.eventType}
      >
        <p role="status">{outcomeWords(delivery)}.</p>
      </PageHead>
      <WebhookPlaces />
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <Section title={isForReader(delivery) ? 'Reading' : 'Attempts'}>
            <AttemptList delivery={delivery} attempts={requests} />
          </Section>
          <Body
            title={isForReader(delivery) ? 'What your program gets' : 'What is sent'}
            text={JSON.stringify(delivery.payload, null, 2)}
            testId="payload"
          />
          {requests.length > 0 && (
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
          <Card title="Once more">
            <RedeliverButton delivery={delivery} gone={gone} />
          </Card>
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
const RedeliverButton = ({ delivery, gone }: RedeliverButtonProps) => {
  const { id, status } = delivery
  const isUnread = isForReader(delivery) && status === 'pending'
  const [, navigate] = useLocation()
  return (
    <div className="stack">
      <ActButton
        caption={isForReader(delivery) ? 'Add it again' : 'Send it again'}
        running="Sending…"
        look="primary"
        testId="redeliver"
        disabled={gone || isUnread}
        act={async ({ api }) => {
          const path = `${deliveries.at(id)}/redeliver`
          const { id: fresh } = readDeliveryResult(await api.post(path, { data: {} }))
          navigate(`/webhooks/deliveries/${fresh}`)
        }}
      >
        <p className="card-note">
          {gone ? 'Its endpoint was deleted, so there is nowhere to send it.' : againWords(delivery)}
        </p>
      </ActButton>
    </div>
  )
}

const againWords = (delivery: Delivery): string => {
  const isWaiting = delivery.status === 'pending'
  if (isForReader(delivery))
    return isWaiting
      ? 'It waits for your program already.'
      : 'After everything that waits: the same bytes, under the same webhook-id.'
  return isWaiting
    ? 'It is still under way: this makes its next attempt at once, and begins no second series.'
    : 'A new record with attempts of its own, the same bytes and the same webhook-id: a receiver that knows it may ignore it.'
}

type BodyProps = {
  readonly title: string
  readonly note?: string
  readonly text: string
  readonly testId: string
}

const Body = ({ title, note, text, testId }: BodyProps) => (
  <Section title={title} note={note}>
    {text === '' ? (
      <p className="card-note">No body came with it.</p>
    ) : (
      <TextBox text={text} what={title.toLowerCase()} testId={testId} />
    )}
  </Section>
)
