// Sends a sample event once and at once, so that an owner can test an endpoint.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { JsonObject } from '../../../../shared/proof/json_value.ts'
import {
  EVENTS,
  type EventName,
  eventsOf,
  isEventOf,
  type ResourceType,
} from '../../../../shared/wire/webhook_events.ts'
import { newUuid7, ulidFrom } from '../../../kernel/identifiers.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { nullable, text } from '../../../store/columns.ts'
import { TABLES } from '../../../store/database.ts'
import { row, rows, statement } from '../../../store/statement.ts'
import { cancelSample } from '../deliveries/cancel_pending.ts'
import { deliveryById, newMessageIds, payloadSql, type WebhookDelivery } from '../deliveries/delivery.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'
import { type DeliveryTools, deliverOne, openTarget } from './deliver_one.ts'
import { LEASED_ROW } from './lease.ts'

/** Seconds. If this server crashes during the attempt, the queue sends the sample after this time. */
const GRACE_SECONDS = 60

export interface WantedSample {
  readonly endpointId: string
  readonly userId: string
  /** The first about what the endpoint is for, when undefined. */
  readonly event?: EventName | undefined
}

/**
 * Makes one attempt, whether or not the endpoint is enabled, and returns the recorded delivery. While dispatch is
 * off, nothing is sent and the delivery is cancelled with that reason. The sample of a pull endpoint waits to be read.
 * @param wanted an event about what the endpoint is for; it need not be among those of the endpoint
 * @throws not_found, master_key_changed
 * @throws invalid_argument for an event of another resource
 */
export async function sendSample(
  tools: DeliveryTools,
  { endpointId, userId, event: wanted }: WantedSample,
): Promise<WebhookDelivery> {
  const em = tools.em()
  const [endpoint] = await rows(em, ENDPOINT({ id: endpointId, userId }))
  if (endpoint === undefined) throw refuse('not_found')
  const { url, resource_type: resource } = endpoint
  const [event = 'item.created'] = wanted === undefined ? eventsOf(resource) : [wanted]
  if (!isEventOf(resource, event))
    throw refuse('invalid_argument', {
      path: ['event'],
      detail: `the endpoint is for ${eventsOf(resource).join(', ')}`,
    })
  const isPulled = url === null
  const target =
    tools.dispatch.isOn() && url !== null
      ? await openTarget({ em, masterKey: tools.masterKey }, { ...endpoint, url })
      : undefined
  const sample = newSample(event, resource, endpoint.team_id)
  const { id, messageId } = sample
  const { payload } = await row(em, INSERT_SAMPLE({ ...sample, userId, endpointId, isPulled }))
  if (target !== undefined) {
    const letter = { id, message_id: messageId, event_type: event, payload, attempts: 0 }
    const { record } = await deliverOne(tools, target, { ...letter, is_sample: true, may_read: true })
    await record()
  } else if (!isPulled) await cancelSample(em, id, 'dispatch is switched off')
  const recorded = await deliveryById(em, id)
  if (recorded === undefined) throw new Error(`Sample ${id} is gone as soon as it was made.`)
  return recorded
}

const ENDPOINT = statement(
  {
    ...LEASED_ROW,
    url: nullable(text),
    resource_type: TABLES.webhook_endpoints.resource_type,
    team_id: text,
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT e.id, e.url, e.auth_type, e.sealed_auth_secret, e.sealed_custom_headers, e.sealed_signing_keys, e.enabled,
         e.max_per_second, e.lease_id, e.updated_at::text, e.resource_type,
         coalesce(e.team_filter_id, (SELECT t.id FROM teams t WHERE t.personal_user_id = e.user_id), '') AS team_id
    FROM webhook_endpoints e WHERE e.id = ${id} AND e.user_id = ${userId}`,
)

const NO_HASH = '0'.repeat(64)

/** Its example about something that there is not: with new ids, hashes of nothing, and the extra member "test". */
function newSample(event: EventName, resource: ResourceType, teamId: string) {
  const [messageId = ''] = newMessageIds(1)
  const resourceId = resource === 'item' ? ulidFrom(Date.now(), randomBytes(10)) : newUuid7()
  const { example }: { readonly example: JsonObject } = EVENTS[event]
  const own: JsonObject = { id: resourceId, team_id: teamId, tags: [] }
  const hashes: JsonObject = { claims_hash: NO_HASH, metadata_hash: NO_HASH, item_hash: NO_HASH }
  const members = Object.entries(example)
  const named = members.map(([name, value]) => [name, own[name] ?? hashes[name] ?? value])
  return {
    id: newUuid7(),
    messageId,
    teamId,
    event,
    resource,
    resourceId,
    data: JSON.stringify({ ...Object.fromEntries(named), test: true }),
    /** Those of its members that are set to the time of the sample. */
    times: members.flatMap(([name, value]) => (name.endsWith('_at') && value !== null ? [name] : [])),
  }
}

const INSERT_SAMPLE = statement(
  { payload: text },
  (
    made: ReturnType<typeof newSample> & {
      readonly userId: string
      readonly endpointId: string
      readonly isPulled: boolean
    },
  ) => sql`
  WITH sample AS (
    SELECT ${made.data}::text::jsonb || coalesce(
      (SELECT jsonb_object_agg(name, iso_time(pharos_now())) FROM unnest(${made.times}::text[]) AS name), '{}') AS data),
  made AS (
    INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                    creator_id, team_id, visibility, is_sample, status, next_attempt_at, pull_xid, payload)
    SELECT ${made.id}, ${made.userId}, ${made.endpointId}, ${made.event}, ${made.resource}, ${made.resourceId},
           ${made.messageId}, ${made.userId}, ${made.teamId}, 'private', true, 'pending',
           CASE WHEN NOT ${made.isPulled}::boolean THEN pharos_now() + ${GRACE_SECONDS} * interval '1 second' END,
           CASE WHEN ${made.isPulled}::boolean THEN pg_current_xact_id() END,
           ${payloadSql(sql`${made.event}`, sql`sample.data`)}
      FROM sample
    RETURNING webhook_deliveries AS d),
  recorded AS (${tellListeners('delivery.created', 'made')})
  SELECT (d).payload FROM made`,
)
