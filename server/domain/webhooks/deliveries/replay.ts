// Sends everything again that did not get through, or that was made for an endpoint in a range of time, whatever became of it.
import { sql } from 'kysely'
import { statement } from '../../../store/statement.ts'
import { LOOKED, type Piece, type SendingAgain, type SentAgain, sendAgain } from './send_again.ts'

/** Deliveries of one call. */
export const MOST_REPLAYED = 10_000

/** The part of a range that was not looked at yet, both ends included. */
export interface Rest {
  readonly from: Date
  readonly until: Date
}

interface Range extends Rest {
  readonly endpointId: string
  readonly userId: string
  /** Those of other events are left out. Absent for all. */
  readonly events?: readonly string[] | undefined
}

/**
 * Sends each message of the range once, the oldest first: those made from `from` to `until`, both included. A message that
 * still waits for an attempt is left to it, and one that was sent again after the range and got through is left out: so a
 * call can be repeated, and whoever wants it once more lets the range reach over what was sent again.
 * @throws not_found
 */
export async function replay(parts: SendingAgain, { until: to, events, ...which }: Range) {
  const { count, next, until } = await sendAgain(parts, { ...which, to, most: MOST_REPLAYED }, (piece) =>
    IN_RANGE({ ...piece, events: events ?? null }),
  )
  return {
    count,
    /**
     * Undefined when all was looked at. It ends before the first call began, so a replay never sends what it made itself,
     * however late `until` is.
     */
    rest: next && { from: next, until },
  }
}

/** What is left out is looked at all the same, so that a statement reads no more than a piece. Index: webhook_deliveries_outcomes. */
const IN_RANGE = statement(
  LOOKED,
  ({ size, endpointId, at, id, until, events }: Piece & { events: readonly string[] | null }) => sql`
  SELECT d.id, d.inserted_at::text AS at, d.message_id,
         NOT d.is_sample AND d.status <> 'pending'
           AND (${events}::text[] IS NULL OR d.event_type = ANY (${events}::text[])) AS is_wanted
    FROM webhook_deliveries d
   WHERE d.endpoint_id = ${endpointId} AND (d.inserted_at, d.id) >= (${at}::timestamptz, ${id}) AND d.id <> ${id}
     AND d.inserted_at <= ${until}::timestamptz
   ORDER BY d.inserted_at, d.id LIMIT ${size}`,
)

/**
 * Sends every delivery again that ended `failed` or `cancelled` at or after `since` and was not sent again yet.
 * Repeated and parallel calls send nothing twice.
 * @throws not_found
 */
export const recover = (
  parts: SendingAgain,
  { since, ...which }: { endpointId: string; userId: string; since: Date },
): Promise<SentAgain> => sendAgain(parts, { ...which, from: since }, LOST)

/** Index: webhook_deliveries_lost. */
const LOST = statement(
  LOOKED,
  ({ size, endpointId, at, id, until }: Piece) => sql`
  SELECT d.id, d.completed_at::text AS at, d.message_id, NOT d.is_sample AS is_wanted
    FROM webhook_deliveries d
   WHERE d.endpoint_id = ${endpointId} AND d.status IN ('failed', 'cancelled')
     AND (d.completed_at, d.id) >= (${at}::timestamptz, ${id}) AND d.id <> ${id}
     AND d.completed_at <= ${until}::timestamptz
   ORDER BY d.completed_at, d.id LIMIT ${size}`,
)
