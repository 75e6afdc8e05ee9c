// One delivery in a list: the event and what it is about, the destination, and the outcome.
import { memo } from 'react'
import { Link } from 'wouter'
import { clockface, localTime } from '../ui/format.ts'
import { RowTime } from '../ui/list/row_time.tsx'
import { useServiceTime } from '../ui/use_now.ts'
import { type Delivery, outcomeWords, shownStatus, statusWords, TONES } from './delivery.ts'

type DeliveryRowProps = {
  readonly delivery: Delivery
  /** The destination without https://. Null where the page already shows the destination. */
  readonly to?: string | null
  readonly arrived: boolean
  /** The time of the row above. */
  readonly above: string | undefined
}

export const DeliveryRow = memo(({ delivery, to = null, arrived, above }: DeliveryRowProps) => (
  <Link
    to={`/webhooks/deliveries/${delivery.id}`}
    className="list-row delivery-row"
    data-arrived={arrived}
    data-wide={to === null}
  >
    <RowTime at={delivery.insertedAt} above={above} />
    <span className="name">
      <strong>{delivery.eventType}</strong>
      <code>{delivery.resourceId}</code>
    </span>
    {to !== null && <span className="what">{to}</span>}
    <span className="delivery-outcome" data-failed={delivery.status === 'failed'}>
      {outcomeWords(delivery)}
      {delivery.nextAttemptAt !== null && delivery.attempts > 0 && (
        <small>
          <NextAttempt at={delivery.nextAttemptAt} />
        </small>
      )}
    </span>
    <DeliveryPill delivery={delivery} />
  </Link>
))
DeliveryRow.displayName = 'DeliveryRow'

export const DeliveryPill = ({ delivery, testId }: { delivery: Delivery; testId?: string }) => (
  <span className="pill" data-tone={TONES[shownStatus(delivery)]} data-testid={testId}>
    {statusWords(delivery)}
  </span>
)

/** A countdown to the next attempt. */
export const NextAttempt = ({ at }: { at: string }) => {
  const remaining = useServiceTime((now) => Date.parse(at) - now)
  return (
    <time className="next-attempt" dateTime={at} title={localTime(at)} data-testid="next-attempt">
      {remaining > 0 ? `next in ${clockface(remaining)}` : 'due now'}
    </time>
  )
}
