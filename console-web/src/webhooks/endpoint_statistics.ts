// What became of an endpoint's deliveries of the last 24 hours, from GET /api/json/webhook-endpoints/:id/statistics.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, numberAt, textAt } from '../data/json_object.ts'
import type { BarPart } from '../ui/bars.tsx'
import { count } from '../ui/format_count.ts'
import { endpointPath } from './endpoint.ts'

/** In the order in which they are told, with their words. */
export const OUTCOMES = {
  success: 'got through',
  retrying: 'retrying',
  failed: 'failed for good',
  cancelled: 'cancelled',
  pending: 'not tried yet',
} as const
export type OutcomeName = keyof typeof OUTCOMES

export const outcomeNames = [
  'success',
  'retrying',
  'failed',
  'cancelled',
  'pending',
] as const satisfies readonly OutcomeName[]

export type Counts = Readonly<Record<OutcomeName, number>> & {
  /** Of the last attempts, in milliseconds. Null when none sent a request. */
  readonly p50: number | null
  readonly p95: number | null
}

export type EndpointStatistics = Counts & {
  readonly newestError: string | null
  readonly newestErrorAt: string | null
  /** Oldest first; `at` is when the hour begins. */
  readonly hours: readonly (Counts & { readonly at: string })[]
}

export const statisticsPath = (endpointId: string): string => `${endpointPath(endpointId)}/statistics`

/** @throws ApiFailure */
export const readStatistics = (answer: JsonValue): EndpointStatistics => {
  const hours: unknown = isJsonObject(answer) ? answer.hours : undefined
  if (!Array.isArray(hours))
    throw new ApiFailure('unreadable', 'The server sent statistics that this page cannot read.')
  return {
    ...countsIn(answer),
    newestError: textAt(answer, 'newest_error'),
    newestErrorAt: textAt(answer, 'newest_error_at'),
    hours: hours.map((hour: unknown) => ({ ...countsIn(hour), at: textAt(hour, 'at') ?? '' })),
  }
}

const countsIn = (value: unknown): Counts => {
  const of = (name: OutcomeName): number => numberAt(value, name) ?? 0
  return {
    success: of('success'),
    retrying: of('retrying'),
    failed: of('failed'),
    cancelled: of('cancelled'),
    pending: of('pending'),
    p50: numberAt(value, 'duration_p50_ms'),
    p95: numberAt(value, 'duration_p95_ms'),
  }
}

export const totalOf = (counts: Counts): number => outcomeNames.reduce((sum, name) => sum + counts[name], 0)

/** Such as `20 got through, 3 retrying`. */
export const countWords = (counts: Counts): string =>
  outcomeNames
    .filter((name) => counts[name] > 0)
    .map((name) => `${count(counts[name])} ${OUTCOMES[name]}`)
    .join(', ')

/** Such as `half within 40 ms, 95 % within 1,200 ms`. Empty when no request was sent. */
export const durationWords = ({ p50, p95 }: Counts): string =>
  p50 === null || p95 === null ? '' : `half within ${count(p50)} ms, 95 % within ${count(p95)} ms`

/** Hour and minute of UTC. */
export const clockOf = (at: string): string => at.slice(11, 16)

/** In hundredths of the height. No part is lower, so that one failure among thousands is seen. */
const LOWEST = 4

/** The parts of an hour's bar from its foot upwards. The highest of all bars has the whole height. */
export const segmentsOf = (counts: Counts, highest: number): readonly BarPart[] => {
  const there = outcomeNames.filter((name) => counts[name] > 0)
  const shared = 100 - LOWEST * there.length
  let from = 0
  return there.map((name) => {
    const segment = { name, from, height: LOWEST + (shared * counts[name]) / highest }
    from += segment.height
    return segment
  })
}
