// Sends one delivery again. While it is pending, that only makes its next attempt due.
import { sql } from 'kysely'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { bool, text } from '../../../store/columns.ts'
import { change, inTransaction, row, rows, statement } from '../../../store/statement.ts'
import { deliveryById, type WebhookDelivery } from './delivery.ts'
import { tellListeners } from './delivery_listeners.ts'
import { ALONE, insertAgain, type SendingAgain } from './send_again.ts'

/**
 * Returns the delivery that is sent now: a new one, or the pending one, whose next attempt is made due. A sample
 * still gets only one attempt.
 * @throws not_found
 * @throws conflict when the endpoint is deleted
 */
export async function redeliver(
  { em, sendRetries }: SendingAgain,
  { id, userId }: { id: string; userId: string },
): Promise<WebhookDelivery> {
  const [known] = await rows(em, KNOWN({ id, userId }))
  if (known === undefined) throw refuse('not_found')
  if (!known.has_endpoint) throw refuse('conflict', { detail: 'the endpoint was deleted' })
  const delivery = await inTransaction(em, async (tx) => {
    await change(tx, ALONE({ endpointId: known.endpoint_id }))
    const [waiting] = await rows(tx, BRING_FORWARD({ id }))
    const sent = waiting ?? (await row(tx, REDELIVER({ ids: [newUuid7()], id })))
    if (sent.is_due) await sendRetries(tx, [{ endpointId: known.endpoint_id, afterMs: 0 }])
    return sent.id
  })
  const made = await deliveryById(em, delivery)
  if (made === undefined) throw new Error(`Delivery ${delivery} is gone as soon as it was made.`)
  return made
}

const KNOWN = statement(
  { endpoint_id: text, has_endpoint: bool },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT endpoint_id, EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS has_endpoint
    FROM webhook_deliveries d WHERE d.id = ${id} AND d.user_id = ${userId}`,
)

/** What waits to be read is not due. */
const SENT = { id: text, is_due: bool }

const REDELIVER = statement(
  SENT,
  ({ ids, id }: { ids: readonly string[]; id: string }) => sql`
  WITH ${insertAgain(sql`old AS (SELECT d.*, 1::bigint AS n FROM webhook_deliveries d WHERE d.id = ${id})`, ids)}
  SELECT (d).id, (d).next_attempt_at IS NOT NULL AS is_due FROM made`,
)

/**
 * Makes the pending delivery of this message due, if there is one. One that waits to be read stays where it is. Index: webhook_deliveries_message_id.
 */
const BRING_FORWARD = statement(
  SENT,
  ({ id }: { id: string }) => sql`
  WITH waiting AS (
    SELECT w.id FROM webhook_deliveries d JOIN webhook_deliveries w
        ON w.user_id = d.user_id AND w.message_id = d.message_id AND w.endpoint_id = d.endpoint_id
     WHERE d.id = ${id} AND w.status = 'pending'
     ORDER BY w.inserted_at LIMIT 1 FOR UPDATE OF w),
  due AS (
    UPDATE webhook_deliveries w
       SET next_attempt_at = CASE WHEN w.pull_xid IS NULL THEN least(w.next_attempt_at, pharos_now()) END,
           updated_at = pharos_now()
      FROM waiting WHERE w.id = waiting.id AND w.status = 'pending'
    RETURNING w AS d),
  recorded AS (${tellListeners('delivery.updated', 'due')})
  SELECT (d).id, (d).next_attempt_at IS NOT NULL AS is_due FROM due`,
)
