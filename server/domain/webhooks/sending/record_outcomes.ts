// Records the outcomes of many attempts in one statement, and updates their endpoints.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { gather } from '../../../kernel/flow/gather.ts'
import { nullable, text } from '../../../store/columns.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { inTransaction, preparedStatement, rows } from '../../../store/statement.ts'
import type { AttemptEntry, SendRetries } from '../deliveries/delivery.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'
import type { Outcome } from './outcome.ts'

export interface OutcomeRecord {
  readonly deliveryId: string
  readonly endpointId: string
  readonly outcome: Outcome
  readonly entry: AttemptEntry
  readonly responseBody: string | null
}

/**
 * The outcome is durable when it returns. Returns the time of the owner's last change of the endpoint, or null when
 * the endpoint is deleted or disabled or nothing was recorded. An attempt that another server has already recorded
 * changes nothing. A delivery that was cancelled during the attempt stays cancelled unless the attempt succeeded. An
 * endpoint that fails for long enough is disabled, and one whose receiver says that it is gone is at once.
 */
export type RecordOutcome = ReturnType<typeof outcomeRecorder>

/**
 * An endpoint is disabled after this many `failed` series in a row, if the first of them is at least this many days
 * old.
 */
const FAILING = { series: 20, days: 3 } as const

/**
 * RFC 9110, 15.5.11: the receiver wants to be called no more. An attempt that began before its owner changed the endpoint
 * says nothing of how it is now.
 */
const GONE = 410

/**
 * Outcomes that arrive together share a statement, also for different endpoints. One statement runs at a time, so
 * that statements do not wait for each other's row locks. Those of other servers, and of a command, lock endpoints in
 * the order of their ids, too, so they never deadlock. Retries of what failed are sent in the same transaction.
 */
export function outcomeRecorder({ em, sendRetries }: { em: () => EntityManager; sendRetries: SendRetries }) {
  return gather<OutcomeRecord, string | null>(
    async (records) => {
      const recording = RECORD({ outcomes: JSON.stringify(records.map(recordRow)) })
      const retries = records.flatMap(({ endpointId, outcome: { waitMs } }) =>
        waitMs === null ? [] : [{ endpointId, afterMs: waitMs }],
      )
      const called =
        retries.length === 0
          ? await rows(em(), recording)
          : await inTransaction(em(), async (tx) => {
              const recorded = await rows(tx, recording)
              await sendRetries(tx, retries)
              return recorded
            })
      const changedAt = new Map(called.map(({ id, changed_at }) => [id, changed_at]))
      return records.map(({ endpointId }) => ({ value: changedAt.get(endpointId) ?? null }))
    },
    {
      max: 250,
      lanes: 1,
      ceiling: 100_000,
      full: () => new Error('Outcomes arrive faster than they can be recorded.'),
      isWhole: isDatabaseUnavailable,
    },
  )
}

const recordRow = ({ deliveryId, outcome, entry, responseBody }: OutcomeRecord) => ({
  id: deliveryId,
  number: entry.number,
  status: outcome.status,
  http_status: outcome.httpStatus,
  error: outcome.error,
  wait_ms: outcome.waitMs,
  duration_ms: entry.duration_ms,
  response_body: responseBody,
  at: entry.at,
  entry,
})

/**
 * Finds the deliveries by their ids. The condition on the status cannot use an index, because the planner could otherwise
 * choose to read everything that is pending.
 */
const RECORD = preparedStatement(
  { id: text, changed_at: nullable(text) },
  ({ outcomes }: { outcomes: string }) => sql`
  WITH outcomes AS (
    SELECT * FROM ROWS FROM (json_to_recordset(${outcomes}::json) AS (
             id text, number int, status text, http_status int, error text, wait_ms float8, duration_ms int,
             response_body text, at timestamptz, entry jsonb)) WITH ORDINALITY AS t (
             id, number, status, http_status, error, wait_ms, duration_ms, response_body, at, entry, place)),
  recorded AS (
    UPDATE webhook_deliveries d
       SET status = CASE WHEN d.status = 'pending' OR t.status = 'success' THEN t.status ELSE d.status END,
           error = CASE WHEN d.status = 'pending' OR t.status = 'success' THEN t.error ELSE d.error END,
           http_status = t.http_status, attempts = t.number, duration_ms = t.duration_ms, response_body = t.response_body,
           first_attempt_at = coalesce(d.first_attempt_at, t.at), last_attempt_at = t.at,
           next_attempt_at = CASE WHEN d.status = 'pending' AND t.status = 'pending'
                                  THEN pharos_now() + t.wait_ms * interval '1 millisecond' END,
           completed_at = CASE WHEN d.status <> 'pending' OR t.status <> 'pending' THEN pharos_now() END,
           attempt_log = d.attempt_log || t.entry, updated_at = pharos_now()
      FROM outcomes t
     WHERE d.id = t.id COLLATE "C" AND d.status NOT IN ('success', 'failed') AND d.attempts = t.number - 1
    RETURNING d, t.place),
  news AS (${tellListeners('delivery.updated', 'recorded')}),
  series AS (
    SELECT (d).endpoint_id AS id, max((d).last_attempt_at) FILTER (WHERE (d).status = 'success') AS succeeded_at,
           max((d).last_attempt_at) FILTER (WHERE (d).status <> 'success') AS failed_at,
           (array_agg((d).duration_ms ORDER BY (d).last_attempt_at DESC))[1] AS duration_ms,
           max((d).last_attempt_at) FILTER (WHERE (d).http_status = ${sql.lit(GONE)}) AS gone_at,
           max(place) FILTER (WHERE (d).status = 'success') AS success_place,
           array_agg(place) FILTER (WHERE (d).status = 'failed') AS failed_places
      FROM recorded WHERE NOT (d).is_sample GROUP BY (d).endpoint_id),
  counted AS (
    SELECT s.id, s.succeeded_at, s.failed_at, s.duration_ms, s.gone_at, s.success_place IS NOT NULL AS succeeded,
           CASE WHEN s.success_place IS NULL THEN e.consecutive_failures ELSE 0 END + (
             SELECT count(*)::int FROM unnest(s.failed_places) AS place
              WHERE s.success_place IS NULL OR place > s.success_place) AS failures
      FROM series s JOIN webhook_endpoints e ON e.id = s.id
     ORDER BY e.id FOR NO KEY UPDATE OF e),
  judged AS (
    SELECT c.*, CASE WHEN c.gone_at >= e.updated_at THEN 'gone'
                     WHEN c.failures >= ${sql.lit(FAILING.series)} AND NOT c.succeeded
                          AND e.failing_since <= pharos_now() - ${sql.lit(FAILING.days)} * interval '1 day'
                     THEN 'failing' END AS disables
      FROM counted c JOIN webhook_endpoints e ON e.id = c.id)
  UPDATE webhook_endpoints e
     SET consecutive_failures = j.failures,
         failing_since = CASE WHEN j.failures = 0 THEN NULL WHEN j.succeeded THEN pharos_now()
                              ELSE coalesce(e.failing_since, pharos_now()) END,
         last_success_at = coalesce(j.succeeded_at, e.last_success_at),
         last_failure_at = coalesce(j.failed_at, e.last_failure_at),
         last_duration_ms = j.duration_ms,
         enabled = e.enabled AND j.disables IS NULL,
         disabled_reason = CASE WHEN e.enabled THEN j.disables ELSE e.disabled_reason END,
         updated_at = CASE WHEN e.enabled AND j.disables IS NOT NULL THEN pharos_now() ELSE e.updated_at END
    FROM judged j WHERE e.id = j.id
  RETURNING e.id, CASE WHEN e.enabled THEN e.updated_at::text END AS changed_at`,
)
