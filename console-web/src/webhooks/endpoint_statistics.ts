// What became of an endpoint's deliveries of the last 24 hours, from GET /api/json/webhook-endpoints/:id/statistics.
import { unreadable } from '../data/api_failure.ts'
import { called, numberOrNull, or, shape, textOrNull } from '../data/shape.ts'
import type { BarPart } from '../ui/bars.tsx'
import { count } from '../ui/format.ts'
import { type EndpointKind, endpointPath } from './endpoint.ts'

/** In the order in which they are told, of deliveries that are sent, and of those that are read. */
export const OUTCOMES = [
  { name: 'success', push: 'got through', pull: 'read', tone: 'good' },
  { name: 'retrying', push: 'retrying', pull: 'retrying', tone: 'warn' },
  { name: 'failed', push: 'failed for good', pull: 'failed for good', tone: 'bad' },
  { name: 'cancelled', push: 'cancelled', pull: 'cancelled', tone: 'none' },
  { name: 'pending', push: 'not tried yet', pull: 'not read yet', tone: 'busy' },
] as const

const number = or(numberOrNull, 0)
const COUNTS = {
  success: number,
  retrying: number,
  failed: number,
  cancelled: number,
  pending: number,
  /** Of the last attempts, in milliseconds. Null when none sent a request. */
  p50: called('duration_p50_ms', numberOrNull),
  p95: called('duration_p95_ms', numberOrNull),
} as const
const readCounts = shape(COUNTS)
export type Counts = ReturnType<typeof readCounts>

/** `at` is when the hour begins. */
const readHour = shape({ ...COUNTS, at: or(textOrNull, '') })

/** @throws ApiFailure */
export const readStatistics = shape({
  ...COUNTS,
  newestError: textOrNull,
  newestErrorAt: textOrNull,
  /** Oldest first. */
  hours: (value: unknown) => {
    if (!Array.isArray(value)) throw unreadable()
    return value.map(readHour)
  },
})
export type EndpointStatistics = ReturnType<typeof readStatistics>

export const statisticsPath = (endpointId: string): string => `${endpointPath(endpointId)}/statistics`

export const totalOf = (counts: Counts): number => OUTCOMES.reduce((sum, { name }) => sum + counts[name], 0)

/** Such as `20 got through, 3 retrying`. */
export const countWords = (counts: Counts, kind: EndpointKind): string =>
  OUTCOMES.filter(({ name }) => counts[name] > 0)
    .map((outcome) => `${count(counts[outcome.name])} ${outcome[kind]}`)
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
  const there = OUTCOMES.filter(({ name }) => counts[name] > 0)
  const shared = 100 - LOWEST * there.length
  let from = 0
  return there.map(({ name, tone }) => {
    const segment = { name, tone, from, height: LOWEST + (shared * counts[name]) / highest }
    from += segment.height
    return segment
  })
}
