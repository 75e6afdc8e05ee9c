// Facts of a delivery other than its attempts: ids, times, and other deliveries with the same webhook-id.
import './webhooks.css'

import { Link } from 'wouter'
import { objectAt } from '../data/json_object.ts'
import { useDocument } from '../data/use_document.ts'
import { CodeField, TextField, TimeField } from '../ui/fields.tsx'
import { utc } from '../ui/format_time.ts'
import { DELIVERIES_PATH, type Delivery, type DeliveryDetail, readDeliveryPage } from './delivery.ts'
import { DeliveryPill } from './delivery_row.tsx'
import { type Endpoint, shortUrl } from './endpoint.ts'

type DeliveryFactsProps = {
  readonly delivery: DeliveryDetail
  /** Null when the endpoint was deleted or is not loaded yet. */
  readonly endpoint: Endpoint | null
  readonly gone: boolean
  readonly pulse: string
}

export const DeliveryFacts = ({ delivery, endpoint, gone, pulse }: DeliveryFactsProps) => (
  <section className="card" aria-labelledby="delivery-facts">
    <h2 id="delivery-facts">About it</h2>
    <dl className="fields stacked">
      <TextField name="endpoint">
        {endpoint === null ? (
          // A line of its own height until it is known, so that nothing below moves.
          gone ? (
            'deleted since'
          ) : (
            '\u00a0'
          )
        ) : (
          <Link to={`/webhooks/${endpoint.id}`} className="address-lines">
            {shortUrl(endpoint.url)}
          </Link>
        )}
      </TextField>
      <TextField name="item">
        {isSample(delivery) ? (
          'none: this is a sample'
        ) : (
          <Link to={`/items/${delivery.resourceId}`}>
            <code>{delivery.resourceId}</code>
          </Link>
        )}
      </TextField>
      <CodeField name="webhook-id" value={delivery.messageId} />
      <CodeField name="x-pharos-delivery" value={delivery.id} />
      <TimeField name="made" time={delivery.insertedAt} />
      {delivery.lastAttemptAt !== null && <TimeField name="last attempt" time={delivery.lastAttemptAt} />}
      {delivery.completedAt !== null && <TimeField name="ended" time={delivery.completedAt} />}
      <Others delivery={delivery} pulse={pulse} />
    </dl>
  </section>
)

const isSample = ({ payload }: DeliveryDetail): boolean => objectAt(payload, 'data')?.test === true

/** The first delivery and its redeliveries. Renders nothing when there is only one. */
const Others = ({ delivery, pulse }: { delivery: Delivery; pulse: string }) => {
  const asked = `${DELIVERIES_PATH}?filter[message_id]=${encodeURIComponent(delivery.messageId)}`
  const loaded = useDocument(asked, { read: readDeliveryPage, pulse })
  const rows =
    loaded.kind === 'found'
      ? loaded.value.rows.filter(({ endpointId }) => endpointId === delivery.endpointId)
      : []
  if (rows.length < 2) return null
  return (
    <TextField name="sent under this webhook-id">
      <ul className="series" data-testid="series">
        {rows.map((row) => (
          <li key={row.id}>
            {row.id === delivery.id ? (
              <strong>{utc(row.insertedAt)}</strong>
            ) : (
              <Link to={`/webhooks/deliveries/${row.id}`}>{utc(row.insertedAt)}</Link>
            )}
            <DeliveryPill delivery={row} />
          </li>
        ))}
      </ul>
    </TextField>
  )
}
