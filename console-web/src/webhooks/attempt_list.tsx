// Every attempt of a delivery: the addresses of the host, the address that was used, the outcome; and when
// the next attempt is due.
import './webhooks.css'
import { capital } from '../ui/capital.ts'
import { count } from '../ui/format_count.ts'
import { localTime, utc } from '../ui/format_time.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { NextAttempt } from './next_attempt.tsx'

type AttemptListProps = { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }

export const AttemptList = ({ delivery, attempts }: AttemptListProps) => (
  <ol className="attempts" data-testid="attempts">
    {attempts.map((attempt) => (
      <li key={attempt.number} data-ok={isSuccess(attempt)} data-testid="attempt">
        <h3>
          {isSuccess(attempt) ? `Answered ${attempt.httpStatus}` : failureOf(attempt)}
          {attempt.durationMs !== null && <small>{count(attempt.durationMs)} ms</small>}
        </h3>
        <p>
          <time dateTime={attempt.at} title={localTime(attempt.at)}>
            {utc(attempt.at, true)} UTC
          </time>
        </p>
        <p>
          <Whereto attempt={attempt} />
        </p>
      </li>
    ))}
    {delivery.status === 'pending' && (
      <li data-ok="pending">
        <h3>
          {attempts.length === 0 ? 'First attempt' : `Attempt ${attempts.length + 1}`}
          {delivery.nextAttemptAt !== null && (
            <small>
              <NextAttempt at={delivery.nextAttemptAt} />
            </small>
          )}
        </h3>
        {delivery.nextAttemptAt !== null && (
          <p>planned for {utc(delivery.nextAttemptAt)} UTC; 12 attempts are made at most</p>
        )}
      </li>
    )}
    {delivery.status === 'cancelled' && attempts.length === 0 && (
      <li data-ok={false}>
        <h3>{capital(delivery.error ?? 'Cancelled')}</h3>
        <p>Nothing was sent.</p>
      </li>
    )}
  </ol>
)

const isSuccess = ({ httpStatus }: Attempt): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300

const failureOf = ({ httpStatus, error }: Attempt): string =>
  httpStatus === null ? capital(error ?? 'No answer') : `Answered ${httpStatus}`

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
