// Webhook deliveries: which event was sent to which endpoint, and the outcome of each attempt.
import { sql } from 'kysely'
import { z } from 'zod'
import { RESOURCE_TYPES } from '../../../shared/wire/webhook_events.ts'
import { enumeration, instant, integer, jsonObject, listOf, text, uuid7, word } from '../../contract/kinds.ts'
import { DEFAULT_PAGE, field } from '../../contract/resource.ts'
import {
  type AttemptEntry,
  DELIVERY_STATUSES,
  deliveryOf,
  MAX_ADDRESSES,
  type WebhookDelivery,
} from '../../domain/webhooks/deliveries/delivery.ts'
import { KEPT_BYTES } from '../../domain/webhooks/sending/attempt.ts'
import { RETRIES } from '../../domain/webhooks/sending/outcome.ts'
import { get, list, resource, toOne } from '../define.ts'

/** The largest payload is that of an item with the longest tags. */
export const PAYLOAD_LENGTH = 16_384

/** Lengths of texts that the server writes. */
const LENGTHS = { event: 64, id: 36, error: 500, payload: PAYLOAD_LENGTH, response: KEPT_BYTES } as const

const ITEM_ID = '01MB78W7FGY7TZHKNWE7WA3Z57'

/** The schema of an `AttemptEntry`. */
const ENTRY = {
  title: 'WebhookAttempt',
  type: 'object',
  properties: {
    number: { type: 'integer', minimum: 1 },
    at: instant().schema,
    resolved_addresses: { type: 'array', items: { type: 'string', maxLength: 64 }, maxItems: MAX_ADDRESSES },
    address: {
      type: ['string', 'null'],
      maxLength: 64,
      description: 'Where it went; null when nothing was sent.',
    },
    http_status: { type: ['integer', 'null'] },
    error: { type: ['string', 'null'], maxLength: LENGTHS.error },
    duration_ms: { type: ['integer', 'null'] },
  },
} as const

export const webhookDelivery = resource<WebhookDelivery>()({
  type: 'webhook_delivery',
  path: '/webhook-deliveries',
  id: uuid7(),
  doc: 'One event on its way to one endpoint, with all its attempts. Kept for 31 days.',
  fields: {
    endpoint_id: field(uuid7(), 'The endpoint; it may be gone by now.', { filter: true }),
    event_type: field(text({ max: LENGTHS.event }), 'Which event, e.g. `item.created`.', {
      filter: true,
      example: 'item.created',
    }),
    resource_type: field(word(RESOURCE_TYPES), 'What it is about.'),
    resource_id: field(text({ max: LENGTHS.id }), 'The id of what it is about.', {
      filter: true,
      example: ITEM_ID,
    }),
    message_id: field(
      text({ max: LENGTHS.id }),
      'The `webhook-id` of all its attempts, and of those that send it again.',
      { filter: true, example: `msg_${ITEM_ID}` },
    ),
    status: field(
      enumeration(DELIVERY_STATUSES),
      '`pending` until it got through, failed for good or was cancelled.',
      { filter: true, sort: true },
    ),
    http_status: field(integer(), 'What the receiver last answered.', { nullable: true, filter: true }),
    error: field(
      text({ max: LENGTHS.error }),
      'Why the last attempt did not get through, or why there was none.',
      {
        nullable: true,
      },
    ),
    attempts: field(integer(), `Attempts so far, ${RETRIES.attempts} at most.`, { sort: true }),
    duration_ms: field(integer(), 'How long the last attempt took.', { nullable: true }),
    next_attempt_at: field(instant(), 'When it is tried next.', { nullable: true }),
    first_attempt_at: field(instant(), 'When it was first tried.', { nullable: true }),
    last_attempt_at: field(instant(), 'When it was last tried.', { nullable: true }),
    completed_at: field(instant(), 'When it was over.', { nullable: true }),
    inserted_at: field(instant(), 'When it was made.', { filter: true, sort: true }),
    updated_at: field(instant(), 'When it last changed.', { sort: true }),
    payload: field(jsonObject({ bytes: LENGTHS.payload }), 'The body that every attempt sends.', {
      onRequest: true,
      component: 'WebhookEvent',
      graphql: { nullable: true },
    }),
    response_body: field(text({ max: LENGTHS.response }), 'The first 16 KiB of the last answer, as text.', {
      nullable: true,
      onRequest: true,
    }),
    attempt_log: field(
      listOf(z.custom<AttemptEntry>().meta(ENTRY), RETRIES.attempts, { mayBeEmpty: true }),
      'Every attempt: what the host stood for, where the request went, and what came of it. Of a pull endpoint its first answer, without addresses, status and duration.',
      { onRequest: true },
    ),
  },
  relationships: {
    endpoint: toOne('endpoint_id', 'webhook_endpoint', 'The endpoint; null once it is deleted.'),
  },
  page: { ...DEFAULT_PAGE, offset: true },
  table: 'webhook_deliveries',
  hydrate: deliveryOf,
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}`,
  operations: [
    list({
      name: 'listWebhookDeliveries',
      doc: 'Deliveries to the caller’s own endpoints, newest first.',
      access: 'read',
      http: 'GET /webhook-deliveries',
      tool: {
        name: 'list_webhook_deliveries',
        title: 'List webhook deliveries',
        doc: 'Events on their way to the caller’s own webhook endpoints, newest first. Use it to see why a receiver was not told of something.',
      },
    }),
    get({
      name: 'getWebhookDelivery',
      doc: 'One delivery to an endpoint of the caller’s own.',
      access: 'read',
      http: 'GET /webhook-deliveries/:id',
      tool: { name: 'get_webhook_delivery', title: 'Get a webhook delivery' },
    }),
  ],
})
