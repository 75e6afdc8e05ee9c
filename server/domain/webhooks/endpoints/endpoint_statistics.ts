// Counts the deliveries of an endpoint by hour: what became of them, and how long their last attempts took.
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { float8, instant, int4, nullable, type RowOf, text } from '../../../store/columns.ts'
import { type Statement, statement } from '../../../store/statement.ts'

/** The running hour and those before it. */
export const STATISTICS_HOURS = 24

/** Deliveries by how they stand now. `retrying`: pending after at least one attempt. `pending`: not tried yet. */
const COUNTS = { success: float8, failed: float8, retrying: float8, pending: float8, cancelled: float8 }
export type OutcomeCounts = RowOf<typeof COUNTS>

/**
 * Of the last attempts that sent a request, in milliseconds, rounded down: to 10 from 200 on, to 100 from 2,000 on. Null
 * when there was none.
 */
const DURATIONS = { p50: nullable(int4), p95: nullable(int4) }
export type Durations = RowOf<typeof DURATIONS>

export interface EndpointStatistics extends OutcomeCounts, Durations {
  /** Of the endpoint. */
  readonly id: string
  /** Oldest first, without gaps. `at` is when the hour begins. */
  readonly hours: readonly (OutcomeCounts & Durations & { readonly at: Date })[]
  /** Why the newest delivery that did not get through did not, and when that was last tried or cancelled. */
  readonly newestError: { readonly words: string; readonly at: Date } | null
}

/** Runs a statement within a time limit, because this one may have to count millions of deliveries. */
export type RunStatement = <Row>(statement: Statement<Row>) => Promise<readonly Row[]>

/**
 * Each delivery counts once, in the hour of UTC in which it was made. The work grows with the deliveries of the last 24
 * hours.
 * @throws not_found when the endpoint is not this user's
 */
export async function endpointStatistics(
  { query }: { query: RunStatement },
  { id, userId }: { id: string; userId: string },
): Promise<EndpointStatistics> {
  const hours = await query(STATISTICS({ id, userId }))
  const [first] = hours
  if (first === undefined) throw refuse('not_found')
  const { day_p50: p50, day_p95: p95, error: words, error_at: at } = first
  const sum = (outcome: keyof OutcomeCounts) => hours.reduce((total, hour) => total + hour[outcome], 0)
  return {
    id,
    hours,
    success: sum('success'),
    failed: sum('failed'),
    retrying: sum('retrying'),
    pending: sum('pending'),
    cancelled: sum('cancelled'),
    p50,
    p95,
    newestError: words === null || at === null ? null : { words, at },
  }
}

const SINCE = sql`date_bin('1 hour', pharos_now(), 'epoch') - ${sql.lit(STATISTICS_HOURS - 1)} * interval '1 hour'`

/** So few values that a day has some thousands of groups, each within 5 % of the durations in it. */
const ROUNDED = sql`d.duration_ms - d.duration_ms % CASE WHEN d.duration_ms < 200 THEN 1
                                                         WHEN d.duration_ms < 2000 THEN 10 ELSE 100 END`

/**
 * One range of webhook_deliveries_outcomes, which holds all that is counted. It is grouped by rounded duration first, so
 * that the percentiles are computed from the groups and nothing sorts the deliveries.
 * Deliveries that are made together have the same time, so the newest error is looked for among a few thousand at most.
 */
const STATISTICS = statement(
  {
    at: instant,
    ...COUNTS,
    ...DURATIONS,
    day_p50: nullable(int4),
    day_p95: nullable(int4),
    error: nullable(text),
    error_at: nullable(instant),
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  WITH looked AS MATERIALIZED (
    SELECT date_bin('1 hour', d.inserted_at, 'epoch') AS hour,
           CASE WHEN d.status = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.status END AS outcome,
           ${ROUNDED} AS ms, count(*) AS n, max(d.inserted_at) AS newest
      FROM webhook_deliveries d
     WHERE d.endpoint_id = ${id} AND d.inserted_at >= ${SINCE}
       AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = ${id} AND e.user_id = ${userId})
     GROUP BY 1, 2, 3),
  counted AS (
    SELECT hour, sum(n) FILTER (WHERE outcome = 'success') AS success,
           sum(n) FILTER (WHERE outcome = 'failed') AS failed,
           sum(n) FILTER (WHERE outcome = 'retrying') AS retrying,
           sum(n) FILTER (WHERE outcome = 'pending') AS pending,
           sum(n) FILTER (WHERE outcome = 'cancelled') AS cancelled
      FROM looked GROUP BY hour),
  ranked AS (
    SELECT hour, ms, sum(n) OVER of_hour AS upto, sum(n) OVER (PARTITION BY hour) AS whole,
           sum(n) OVER (ORDER BY ms) AS day_upto, sum(n) OVER () AS day_whole
      FROM looked WHERE ms IS NOT NULL WINDOW of_hour AS (PARTITION BY hour ORDER BY ms)),
  took AS (
    SELECT hour, min(ms) FILTER (WHERE upto >= 0.5 * whole) AS p50, min(ms) FILTER (WHERE upto >= 0.95 * whole) AS p95
      FROM ranked GROUP BY hour),
  day AS (
    SELECT min(ms) FILTER (WHERE day_upto >= 0.5 * day_whole) AS p50,
           min(ms) FILTER (WHERE day_upto >= 0.95 * day_whole) AS p95 FROM ranked),
  newest AS (
    SELECT d.error, coalesce(d.last_attempt_at, d.completed_at) AS at
      FROM webhook_deliveries d
     WHERE d.endpoint_id = ${id} AND d.error IS NOT NULL
       AND d.inserted_at = (SELECT max(newest) FROM looked WHERE outcome NOT IN ('success', 'pending'))
     ORDER BY 2 DESC LIMIT 1)
  SELECT h.at, coalesce(c.success, 0)::float8 AS success, coalesce(c.failed, 0)::float8 AS failed,
         coalesce(c.retrying, 0)::float8 AS retrying, coalesce(c.pending, 0)::float8 AS pending,
         coalesce(c.cancelled, 0)::float8 AS cancelled, t.p50, t.p95, day.p50 AS day_p50, day.p95 AS day_p95,
         newest.error, newest.at AS error_at
    FROM webhook_endpoints e
   CROSS JOIN generate_series(${SINCE}, ${SINCE} + ${sql.lit(STATISTICS_HOURS - 1)} * interval '1 hour', '1 hour') AS h (at)
    LEFT JOIN counted c ON c.hour = h.at
    LEFT JOIN took t ON t.hour = h.at
   CROSS JOIN day
    LEFT JOIN newest ON true
   WHERE e.id = ${id} AND e.user_id = ${userId}
   ORDER BY h.at`,
)
