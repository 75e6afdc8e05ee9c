// Sends everything again that did not get through.
import { sql } from 'kysely'
import { statement } from '../../../store/statement.ts'
import { LOOKED, type Piece, type SendingAgain, type SentAgain, sendAgain } from './send_again.ts'

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
