// Sends a sample event once and at once, so that an owner can test an endpoint.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ulidFrom } from '../../../../shared/proof/ids.ts'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { nullable, text } from '../../../store/columns.ts'
import { row, rows, statement } from '../../../store/statement.ts'
import { cancelSample } from '../deliveries/cancel_pending.ts'
import { deliveryById, newMessageIds, payloadSql, type WebhookDelivery } from '../deliveries/delivery.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'
import { type DeliveryTools, deliverOne, openTarget } from './deliver_one.ts'
import { LEASED_ROW } from './lease.ts'

/** Seconds. If this server crashes during the attempt, the queue sends the sample after this time. */
const GRACE_SECONDS = 60

/**
 * Makes one attempt, whether or not the endpoint is enabled, and returns the recorded delivery. While dispatch is
 * off, nothing is sent and the delivery is cancelled with that reason. The sample of a pull endpoint waits to be read.
 * @throws not_found, master_key_changed
 */
export async function sendSample(
  tools: DeliveryTools,
  { endpointId, userId }: { endpointId: string; userId: string },
): Promise<WebhookDelivery> {
  const em = tools.em()
  const [endpoint] = await rows(em, ENDPOINT({ id: endpointId, userId }))
  if (endpoint === undefined) throw refuse('not_found')
  const { url } = endpoint
  const isPulled = url === null
  const target =
    tools.dispatch.isOn() && url !== null
      ? await openTarget({ em, masterKey: tools.masterKey }, { ...endpoint, url })
      : undefined
  const id = newUuid7()
  const [messageId = ''] = newMessageIds(1)
  const itemId = ulidFrom(Date.now(), randomBytes(10))
  const made = { id, userId, endpointId, itemId, messageId, teamId: endpoint.team_id, isPulled }
  const { payload } = await row(em, INSERT_SAMPLE(made))
  const letter = { id, message_id: messageId, event_type: 'item.created', payload, attempts: 0 }
  if (target !== undefined) {
    const sample = { ...letter, is_sample: true, may_read: true }
    const { record } = await deliverOne(tools, target, sample)
    await record()
  } else if (!isPulled) await cancelSample(em, id, 'dispatch is switched off')
  const recorded = await deliveryById(em, id)
  if (recorded === undefined) throw new Error(`Sample ${id} is gone as soon as it was made.`)
  return recorded
}

const ENDPOINT = statement(
  { ...LEASED_ROW, url: nullable(text), team_id: text },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT e.id, e.url, e.auth_type, e.sealed_auth_secret, e.sealed_custom_headers, e.sealed_signing_keys, e.enabled,
         e.max_per_second, e.lease_id, e.updated_at::text,
         coalesce(e.team_filter_id, (SELECT t.id FROM teams t WHERE t.personal_user_id = e.user_id), '') AS team_id
    FROM webhook_endpoints e WHERE e.id = ${id} AND e.user_id = ${userId}`,
)

/** Looks like a new item of the owner, with the extra member "test". */
interface Sample {
  readonly id: string
  readonly userId: string
  readonly endpointId: string
  readonly itemId: string
  readonly messageId: string
  readonly teamId: string
  readonly isPulled: boolean
}

const INSERT_SAMPLE = statement(
  { payload: text },
  ({ id, userId, endpointId, itemId, messageId, teamId, isPulled }: Sample) => sql`
  WITH sample AS (
    SELECT jsonb_build_object(
      'id', ${itemId}::text, 'state', 'created', 'visibility', 'private', 'claims_hash', repeat('0', 64),
      'metadata_hash', repeat('0', 64), 'item_hash', repeat('0', 64), 'tags', '[]'::jsonb, 'team_id', ${teamId}::text,
      'block_id', NULL, 'inserted_at', iso_time(pharos_now()), 'committed_at', NULL, 'redacted_at', NULL,
      'test', true) AS data),
  made AS (
    INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                    creator_id, team_id, visibility, is_sample, status, next_attempt_at, pull_xid, payload)
    SELECT ${id}, ${userId}, ${endpointId}, 'item.created', 'item', ${itemId}, ${messageId}, ${userId}, ${teamId},
           'private', true, 'pending',
           CASE WHEN NOT ${isPulled}::boolean THEN pharos_now() + ${GRACE_SECONDS} * interval '1 second' END,
           CASE WHEN ${isPulled}::boolean THEN pg_current_xact_id() END,
           ${payloadSql(sql`'item.created'`, sql`sample.data`)}
      FROM sample
    RETURNING webhook_deliveries AS d),
  recorded AS (${tellListeners('delivery.created', 'made')})
  SELECT (d).payload FROM made`,
)
