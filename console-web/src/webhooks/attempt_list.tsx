// Every attempt of a delivery: the addresses of the host, the address that was used, the outcome; and when
// the next attempt is due.
import './webhooks.css'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { capital } from '../ui/capital.ts'
import { count } from '../ui/format_count.ts'
import { clockface, localTime, utc } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import type { Attempt, Delivery } from './delivery.ts'

type AttemptListProps = { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }

export const AttemptList = ({ delivery, attempts }: AttemptListProps) => (
  <ol className="timeline attempts" data-testid="attempts">
    {attempts.map((attempt) => (
      <li key={attempt.number} {...MARKS[isSuccess(attempt) ? 'good' : 'bad']} data-testid="attempt">
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
      <li {...MARKS.next}>
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
      <li {...MARKS.bad}>
        <h3>{capital(delivery.error ?? 'Cancelled')}</h3>
        <p>Nothing was sent.</p>
      </li>
    )}
  </ol>
)

const MARKS = {
  good: { 'data-tone': 'good', 'data-sign': '✓' },
  bad: { 'data-tone': 'bad', 'data-sign': '✕' },
  next: { 'data-tone': 'warn' },
} as const

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

/** A countdown to the next attempt. */
export const NextAttempt = ({ at }: { at: string }) => {
  const remaining = Date.parse(at) - useNow() - useStore(useConsole().clockOffset)
  return (
    <time className="next-attempt" dateTime={at} title={localTime(at)} data-testid="next-attempt">
      {remaining > 0 ? `next in ${clockface(remaining)}` : 'due now'}
    </time>
  )
}
