// Decides the outcome of an attempt from the status line. The body does not matter.
import type { DeliveryStatus } from '../deliveries/delivery.ts'
import { RETRIES, waitAfter } from './retry_schedule.ts'

/** The result of the call before it is judged. */
export type Happening =
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly retryAfterMs: number }
  | { readonly kind: 'unreachable'; readonly error: string }
  /** The service must not call this host. */
  | { readonly kind: 'blocked'; readonly error: string }
  /** What is stored for the endpoint does not open. The owner may give it again before the next attempt. */
  | { readonly kind: 'unopened'; readonly error: string }
  /** The endpoint's owner must not see this event. */
  | { readonly kind: 'withheld'; readonly error: string }

export interface Outcome {
  readonly status: DeliveryStatus
  readonly httpStatus: number | null
  readonly error: string | null
  /** Milliseconds until the next attempt. Null when there is none. */
  readonly waitMs: number | null
}

/** Timeouts and temporary refusals are tried again. Permanent refusals and invalid statuses are not. */
const isTransient = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status <= 599)
/** Retry-After is used only with these statuses. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503])

/**
 * @param attempt the number of this attempt, from 1
 * @param most the maximum number of attempts
 */
export function judge(happening: Happening, attempt: number, most: number = RETRIES.attempts): Outcome {
  switch (happening.kind) {
    case 'answered': {
      const { httpStatus, retryAfterMs } = happening
      if (httpStatus >= 200 && httpStatus < 300)
        return { status: 'success', httpStatus, error: null, waitMs: null }
      const error = wordsOf(httpStatus)
      if (!isTransient(httpStatus)) return { status: 'cancelled', httpStatus, error, waitMs: null }
      return again(httpStatus, error, attempt, most, ASKS_TO_WAIT.has(httpStatus) ? retryAfterMs : 0)
    }
    case 'unreachable':
    case 'unopened':
      return again(null, happening.error, attempt, most, 0)
    case 'blocked':
    case 'withheld':
      return { status: 'cancelled', httpStatus: null, error: happening.error, waitMs: null }
    default:
      return happening satisfies never
  }
}

/** RFC 9110, 15: a final answer has a status from 200 to 599. */
const wordsOf = (status: number): string =>
  status >= 200 && status <= 599
    ? `the receiver answered ${status}`
    : `the receiver answered ${String(status).padStart(3, '0')}, which ends no request of HTTP`

const again = (
  httpStatus: number | null,
  error: string,
  attempt: number,
  most: number,
  retryAfterMs: number,
): Outcome =>
  attempt < most
    ? { status: 'pending', httpStatus, error, waitMs: waitAfter(attempt, retryAfterMs) }
    : { status: 'failed', httpStatus, error, waitMs: null }
