// The outcome of a delivery in a few words.
import { capital } from '../ui/capital.ts'
import { count, plural } from '../ui/format_count.ts'
import type { Delivery } from './delivery.ts'

export const outcomeWords = (delivery: Delivery): string => {
  const { status, httpStatus, error, attempts, durationMs } = delivery
  const took = durationMs === null ? '' : ` in ${count(durationMs)} ms`
  switch (status) {
    case 'success':
      return `${httpStatus ?? 'Answered'}${took}${attempts > 1 ? `, at attempt ${attempts}` : ''}`
    case 'pending':
      return attempts === 0
        ? 'Waiting to be sent'
        : `${reasonOf(delivery)}, ${plural(attempts, 'attempt')} so far`
    case 'failed':
      return `${reasonOf(delivery)}, given up after ${plural(attempts, 'attempt')}`
    case 'cancelled':
      return capital(error ?? 'Not sent')
    default:
      return status satisfies never
  }
}

const reasonOf = ({ httpStatus, error }: Pick<Delivery, 'httpStatus' | 'error'>): string =>
  httpStatus === null ? capital(error ?? 'Did not get through') : `Answered ${httpStatus}`
