// One delivery in a list: the event and its item, the destination, and the outcome.
import './webhooks.css'
import { memo } from 'react'
import { Link } from 'wouter'
import { localTime, utcClock, utcDay } from '../ui/format_time.ts'
import { type Delivery, shownStatus } from './delivery.ts'
import { outcomeWords } from './delivery_words.ts'
import { NextAttempt } from './next_attempt.tsx'

type DeliveryRowProps = {
  readonly delivery: Delivery
  /** The destination without https://. Null where the page already shows the destination. */
  readonly to: string | null
  readonly arrived: boolean
}

export const DeliveryRow = memo(({ delivery, to, arrived }: DeliveryRowProps) => (
  <Link
    to={`/webhooks/deliveries/${delivery.id}`}
    className="delivery-row"
    data-status={shownStatus(delivery)}
    data-arrived={arrived}
    data-wide={to === null}
  >
    <time className="row-time" dateTime={delivery.insertedAt} title={localTime(delivery.insertedAt)}>
      {utcClock(delivery.insertedAt)}
      <small>{utcDay(delivery.insertedAt)}</small>
    </time>
    <span className="delivery-what">
      <strong>{delivery.eventType}</strong>
      <code>{delivery.resourceId}</code>
    </span>
    {to !== null && <span className="delivery-to">{to}</span>}
    <span className="delivery-outcome">
      {outcomeWords(delivery)}
      {delivery.nextAttemptAt !== null && delivery.attempts > 0 && (
        <small>
          <NextAttempt at={delivery.nextAttemptAt} />
        </small>
      )}
    </span>
    <span className="state-pill" data-state={shownStatus(delivery)}>
      {shownStatus(delivery)}
    </span>
  </Link>
))
DeliveryRow.displayName = 'DeliveryRow'
