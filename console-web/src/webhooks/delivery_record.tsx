// What is recorded of a delivery: every attempt with the addresses of the host, the one that was used and the outcome, or
// whether it was read; its ids and times; and other deliveries with the same webhook-id.
import { Link } from 'wouter'
import { objectAt } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { CodeField, TextField, TimeField } from '../ui/fields.tsx'
import { capital, count, dayAndTime, utc } from '../ui/format.ts'
import { Card } from '../ui/section.tsx'
import { Time } from '../ui/time.tsx'
import { type Attempt, type DeliveryDetail, deliveries, isForReader, reasonOf } from './delivery.ts'
import { DeliveryPill, NextAttempt } from './delivery_row.tsx'
import { type Endpoint, nameOf } from './endpoint.ts'

type AttemptListProps = { readonly delivery: DeliveryDetail; readonly attempts: readonly Attempt[] }

export const AttemptList = ({ delivery, attempts }: AttemptListProps) => (
  <ol className="timeline" data-testid="attempts">
    {attempts.map((attempt) => (
      <li key={attempt.number} {...MARKS[attempt.error === null ? 'good' : 'bad']} data-testid="attempt">
        <h3>
          {reasonOf(attempt)} {attempt.durationMs !== null && <small>{count(attempt.durationMs)} ms</small>}
        </h3>
        <p>
          <Time isExact at={attempt.at} />
        </p>
        <p>
          <Whereto attempt={attempt} />
        </p>
      </li>
    ))}
    {isForReader(delivery) && <Reading delivery={delivery} />}
    {delivery.status === 'pending' && delivery.nextAttemptAt !== null && (
      <li {...MARKS.next}>
        <h3>
          {attempts.length === 0 ? 'First attempt' : `Attempt ${attempts.length + 1}`}{' '}
          <small>
            <NextAttempt at={delivery.nextAttemptAt} />
          </small>
        </h3>
        <p>planned for {dayAndTime(delivery.nextAttemptAt, true)}; 12 attempts are made at most</p>
      </li>
    )}
    {delivery.status === 'cancelled' && attempts.length === 0 && (
      <li {...MARKS.bad}>
        <h3>{capital(delivery.error ?? 'Cancelled')}</h3>
        <p>Nothing was sent.</p>
      </li>
    )}
  </ol>
)

const Reading = ({ delivery: { firstAttemptAt } }: { delivery: DeliveryDetail }) =>
  firstAttemptAt === null ? (
    <li {...MARKS.next}>
      <h3>Waits for your program</h3>
      <p>It was not in any answer to your program yet. It waits for 31 days.</p>
    </li>
  ) : (
    <li {...MARKS.good}>
      <h3>Your program read it</h3>
      <p>
        first on <Time at={firstAttemptAt}>{dayAndTime(firstAttemptAt, true)}</Time>; it may be read again
      </p>
    </li>
  )

const MARKS = {
  good: { 'data-tone': 'good', 'data-sign': '✓' },
  bad: { 'data-tone': 'bad', 'data-sign': '✕' },
  next: { 'data-tone': 'warn' },
} as const

/** Reached only where a trial allows it, so no check is claimed for it. */
const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1'

/**
 * Shows all resolved addresses and the one that was used, because all must be allowed but only one is
 * connected to.
 */
const Whereto = ({ attempt: { resolved, address } }: { attempt: Attempt }) => {
  if (resolved.length === 0 && address === null) return 'The host had no address.'
  const others = resolved.filter((one) => one !== address)
  return (
    <>
      {address === null ? 'Nothing was sent. ' : 'Sent to '}
      {address !== null && <code>{address}</code>}
      {others.length > 0 && (
        <>
          {address === null ? 'Checked: ' : ', checked as well: '}
          {others.map((one) => (
            <code key={one}>{one} </code>
          ))}
        </>
      )}
      {address !== null &&
        others.length === 0 &&
        (isLoopback(address) ? ', on this machine' : ', the one address of its host, checked first')}
    </>
  )
}

type DeliveryFactsProps = {
  readonly delivery: DeliveryDetail
  /** Null when the endpoint was deleted or is not loaded yet. */
  readonly endpoint: Endpoint | null
  readonly gone: boolean
  readonly pulse: string
}

export const DeliveryFacts = ({ delivery, endpoint, gone, pulse }: DeliveryFactsProps) => {
  const { resourceType, resourceId, lastAttemptAt, completedAt } = delivery
  const isItem = resourceType === 'item'
  const isRead = isForReader(delivery)
  // A line of its own height until it is known, so that nothing below moves.
  const unknown = gone ? 'deleted since' : '\u00a0'
  return (
    <Card title="About it">
      <dl className="fields stacked">
        <TextField name="endpoint">
          {endpoint === null ? (
            unknown
          ) : (
            <Link to={`/webhooks/${endpoint.id}`} className="address-lines">
              {nameOf(endpoint)}
            </Link>
          )}
        </TextField>
        <TextField name={isItem ? 'item' : 'about the endpoint'}>
          {isSample(delivery) ? (
            'none: this is a sample'
          ) : (
            <Link to={`${isItem ? '/items' : '/webhooks'}/${resourceId}`}>
              <code>{resourceId}</code>
            </Link>
          )}
        </TextField>
        <CodeField name="webhook-id" value={delivery.messageId} />
        <CodeField name="x-pharos-delivery" value={delivery.id} />
        <TimeField name="made" time={delivery.insertedAt} />
        {!isRead && lastAttemptAt !== null && <TimeField name="last attempt" time={lastAttemptAt} />}
        {completedAt !== null && <TimeField name={isRead ? 'first read' : 'ended'} time={completedAt} />}
        <Others delivery={delivery} pulse={pulse} />
      </dl>
    </Card>
  )
}

const isSample = ({ payload }: DeliveryDetail): boolean => objectAt(payload, 'data')?.test === true

/** The first delivery and its redeliveries. Renders nothing when there is only one. */
const Others = ({ delivery, pulse }: { delivery: DeliveryDetail; pulse: string }) => {
  const asked = `${deliveries.path}?filter[message_id]=${encodeURIComponent(delivery.messageId)}`
  const loaded = useDocument(asked, { read: deliveries.readPage, pulse })
  const rows =
    loaded.kind === 'found'
      ? loaded.value.rows.filter(({ endpointId }) => endpointId === delivery.endpointId)
      : []
  if (rows.length < 2) return null
  return (
    <TextField name="sent under this webhook-id">
      <ul className="stack" data-testid="series">
        {rows.map((row) => (
          <li key={row.id} className="spread">
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
