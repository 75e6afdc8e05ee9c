// Sends everything again that was made for an endpoint in a range of time, whatever became of it.
import { sql } from 'kysely'
import { row, statement } from '../../../store/statement.ts'
import {
  insertAgain,
  PIECE_MADE,
  type Piece,
  type SendingAgain,
  type SentAgain,
  sendAgain,
} from './send_again.ts'

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
  sendAgain(parts, { ...which, most: MOST_REPLAYED }, (tx, piece) =>
    row(tx, REPLAY({ ...piece, to: until.toISOString(), events: events ?? null })),
  )

/**
 * A message that was sent again within the range is one message. What is left out is looked at all the same, so that a
 * statement looks at no more than a piece. Indexes: webhook_deliveries_outcomes,
 * webhook_deliveries_message_id.
 */
const REPLAY = statement(
  PIECE_MADE,
  ({
    ids,
    endpointId,
    at,
    id,
    until,
    to,
    events,
  }: Piece & { to: string; events: readonly string[] | null }) => sql`
  WITH range AS MATERIALIZED (
    SELECT d.* FROM webhook_deliveries d
     WHERE d.endpoint_id = ${endpointId} AND (d.inserted_at, d.id) >= (${at}::timestamptz, ${id}) AND d.id <> ${id}
       AND d.inserted_at <= ${to}::timestamptz AND d.inserted_at <= ${until}::timestamptz
     ORDER BY d.inserted_at, d.id LIMIT cardinality(${ids}::text[])),
  ${insertAgain(
    sql`old AS (
    SELECT r.*, row_number() OVER (ORDER BY r.inserted_at, r.id) AS n FROM range r
     WHERE NOT r.is_sample AND r.status <> 'pending'
       AND (${events}::text[] IS NULL OR r.event_type = ANY (${events}::text[])) AND NOT EXISTS (
       SELECT FROM webhook_deliveries other
        WHERE other.user_id = r.user_id AND other.message_id = r.message_id AND other.endpoint_id = r.endpoint_id
          AND (other.status = 'pending' OR ((other.inserted_at, other.id) > (r.inserted_at, r.id) AND other.inserted_at <= ${to}::timestamptz
                                            AND other.inserted_at <= ${until}::timestamptz))))`,
    ids,
  )}
  SELECT (SELECT count(*)::int FROM made) AS made, (SELECT count(*)::int FROM range) AS looked,
         (SELECT inserted_at::text FROM range ORDER BY range.inserted_at DESC, range.id DESC LIMIT 1) AS at,
         (SELECT id FROM range ORDER BY range.inserted_at DESC, range.id DESC LIMIT 1) AS id`,
)
