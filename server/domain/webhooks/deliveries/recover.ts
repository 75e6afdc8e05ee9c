// Sends everything again that did not get through.
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

/**
 * Sends every delivery again that ended `failed` or `cancelled` at or after `since` and was not sent again yet.
 * Repeated and parallel calls send nothing twice.
 * @throws not_found
 */
export const recover = (
  parts: SendingAgain,
  { since, ...which }: { endpointId: string; userId: string; since: Date },
): Promise<SentAgain> => sendAgain(parts, { ...which, from: since }, (tx, piece) => row(tx, RECOVER(piece)))

/** When a message was sent again later, only its latest delivery counts. Index: webhook_deliveries_lost. */
const RECOVER = statement(
  PIECE_MADE,
  ({ ids, endpointId, at, id, until }: Piece) => sql`
  WITH lost AS MATERIALIZED (
    SELECT d.* FROM webhook_deliveries d
     WHERE d.endpoint_id = ${endpointId} AND d.status IN ('failed', 'cancelled')
       AND (d.completed_at, d.id) >= (${at}::timestamptz, ${id}) AND d.id <> ${id}
       AND d.completed_at <= ${until}::timestamptz
     ORDER BY d.completed_at, d.id LIMIT cardinality(${ids}::text[])),
  ${insertAgain(
    sql`old AS (
    SELECT l.*, row_number() OVER (ORDER BY l.completed_at, l.id) AS n FROM lost l
     WHERE NOT l.is_sample AND NOT EXISTS (
       SELECT FROM webhook_deliveries later
        WHERE later.user_id = l.user_id AND later.message_id = l.message_id AND later.endpoint_id = l.endpoint_id
          AND later.inserted_at > l.inserted_at))`,
    ids,
  )}
  SELECT (SELECT count(*)::int FROM made) AS made, (SELECT count(*)::int FROM lost) AS looked,
         (SELECT completed_at::text FROM lost ORDER BY lost.completed_at DESC, lost.id DESC LIMIT 1) AS at,
         (SELECT id FROM lost ORDER BY lost.completed_at DESC, lost.id DESC LIMIT 1) AS id`,
)
