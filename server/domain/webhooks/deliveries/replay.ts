// Sends everything again that was made for an endpoint in a range of time, whatever became of it.
import { sql } from 'kysely'
import { statement } from '../../../store/statement.ts'
import { LOOKED, type Piece, type SendingAgain, type SentAgain, sendAgain } from './send_again.ts'

/** Deliveries of one call. */
export const MOST_REPLAYED = 10_000

interface Range {
  readonly endpointId: string
  readonly userId: string
  readonly from: Date
  readonly until: Date
  /** Those of other events are left out. Absent for all. */
  readonly events?: readonly string[] | undefined
}

/**
 * Sends each message of the range once, the oldest first: those made from `from` to `until`, both included. A message that
 * still waits for an attempt is left to it. Another call with the same range sends them again.
 * @throws not_found
 */
export const replay = (parts: SendingAgain, { until, events, ...which }: Range): Promise<SentAgain> =>
  sendAgain(parts, { ...which, to: until, most: MOST_REPLAYED }, (piece) =>
    IN_RANGE({ ...piece, events: events ?? null }),
  )

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
