// Webhook endpoints: the address, the subscribed events, the signing and the recent delivery results.
import { sql } from 'kysely'
import { EVENT_NAMES, RESOURCE_TYPES } from '../../../shared/wire/webhook_events.ts'
import {
  boolean,
  enumeration,
  instant,
  integer,
  names,
  text,
  textList,
  uuid7,
  word,
} from '../../contract/kinds.ts'
import { field } from '../../contract/resource.ts'
import type { CreatedEndpoint } from '../../domain/webhooks/endpoints/change_endpoint.ts'
import {
  AUTH_TYPES,
  DISABLED_REASONS,
  deleteEndpoint,
  ENDPOINT_KINDS,
  endpointOf,
} from '../../domain/webhooks/endpoints/endpoint.ts'
import { ENDPOINT_LIMITS } from '../../domain/webhooks/endpoints/endpoint_rules.ts'
import {
  KEY_LENGTHS,
  MOST_KEYS,
  SIGNINGS,
  standingPublicKeys,
} from '../../domain/webhooks/endpoints/signing_keys.ts'
import { create, get, list, remove, resource, update } from '../define.ts'
import {
  changeWebhookEndpoint,
  checkWebhookEndpoint,
  createWebhookEndpoint,
  creation,
  EXAMPLE,
  endpointChange,
} from './webhook_writes.ts'

const LIMITS = ENDPOINT_LIMITS

export const webhookEndpoint = resource<CreatedEndpoint>()({
  type: 'webhook_endpoint',
  path: '/webhook-endpoints',
  id: uuid7(),
  doc: 'An HTTPS address of the caller’s that is called when something happens to items.',
  fields: {
    kind: field(word(ENDPOINT_KINDS), '`push`: deliveries are sent to `url`. `pull`: you read them.'),
    url: field(text({ max: LIMITS.url }), 'Where deliveries go; null for `pull`.', {
      nullable: true,
      filter: true,
      sort: true,
      example: EXAMPLE.url,
    }),
    resource_type: field(word(RESOURCE_TYPES), 'What the events are about.'),
    events: field(names(EVENT_NAMES), 'Which events are delivered.', { example: EXAMPLE.events }),
    description: field(text({ max: LIMITS.description }), 'A label for people.', { nullable: true }),
    auth_type: field(enumeration(AUTH_TYPES), '`bearer` when deliveries carry the secret.'),
    custom_header_names: field(
      textList({ items: LIMITS.headers, length: LIMITS.headerName }),
      'Names of the custom headers; their values are never shown.',
      { example: Object.keys(EXAMPLE.headers) },
    ),
    signing: field(
      enumeration(SIGNINGS),
      'How deliveries are signed (Standard Webhooks): `v1` by a secret of the endpoint, `v1a` by Ed25519.',
      { filter: true },
    ),
    public_keys: field(
      textList({ items: MOST_KEYS, length: KEY_LENGTHS.public }),
      'With `v1a`: the public keys by which deliveries are signed now, the newest first.',
      { example: [EXAMPLE.publicKey] },
    ),
    former_until: field(instant(), 'When the last key before the newest ends, or ended.', { nullable: true }),
    team_filter_id: field(uuid7(), 'The team whose items it hears of; null for all the owner submits.', {
      nullable: true,
    }),
    enabled: field(boolean(), 'Whether it is called.', { filter: true, sort: true }),
    disabled_reason: field(
      enumeration(DISABLED_REASONS),
      'Why it is not: `manual`, `failing` after days without success, or `gone` after a 410.',
      { nullable: true },
    ),
    max_per_second: field(integer(), 'Requests a second at most; null for as many as it answers.', {
      nullable: true,
    }),
    consecutive_failures: field(integer(), 'Deliveries in a row that failed for good.'),
    last_success_at: field(instant(), 'When a delivery last got through.', { nullable: true }),
    last_failure_at: field(instant(), 'When an attempt last did not.', { nullable: true }),
    inserted_at: field(instant(), 'When it was made.', { filter: true, sort: true }),
    updated_at: field(instant(), 'When it last changed.', { sort: true }),
  },
  table: 'webhook_endpoints',
  hydrate: endpointOf,
  show: { public_keys: ({ publicKeys }) => standingPublicKeys(publicKeys) },
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}`,
  operations: [
    list({
      name: 'listWebhookEndpoints',
      doc: 'The caller’s own endpoints, newest first.',
      access: 'read',
      http: 'GET /webhook-endpoints',
      tool: {
        name: 'list_webhook_endpoints',
        title: 'List webhook endpoints',
        doc: 'The caller’s own webhook endpoints, newest first: HTTPS addresses that are called when something happens to items.',
      },
    }),
    get({
      name: 'getWebhookEndpoint',
      doc: 'One of the caller’s own endpoints.',
      access: 'read',
      http: 'GET /webhook-endpoints/:id',
      tool: { name: 'get_webhook_endpoint', title: 'Get a webhook endpoint' },
    }),
    create({
      name: 'createWebhookEndpoint',
      doc: 'Registers an address. Its host may not lead to a private or reserved address; how many there may be depends on the plan.',
      access: 'write',
      http: 'POST /webhook-endpoints',
      tool: {
        name: 'create_webhook_endpoint',
        title: 'Register a webhook endpoint',
        doc: 'Registers an HTTPS address that is called when something happens to items. Use it when another program is to be told; it may not lead to a private address.',
        openWorld: true,
      },
      accepts: creation,
      check: (attributes, context) => checkWebhookEndpoint(attributes, context, 'create'),
      run: createWebhookEndpoint,
      meta: {
        fields: {
          signing_secret: {
            kind: text({ max: KEY_LENGTHS.secret }),
            doc: 'With `signing` `v1`: the secret. It is shown this once.',
            example: EXAMPLE.signingSecret,
            optional: true,
          },
        },
        of: ({ signingSecret }) => ({ signing_secret: signingSecret }),
      },
    }),
    update({
      name: 'updateWebhookEndpoint',
      doc: 'Changes an endpoint. Switching it on forgets why it was off, and the failures counted so far.',
      access: 'write',
      http: 'PATCH /webhook-endpoints/:id',
      tool: { name: 'update_webhook_endpoint', title: 'Change a webhook endpoint', openWorld: true },
      accepts: endpointChange,
      check: (attributes, context) => checkWebhookEndpoint(attributes, context, 'update'),
      run: changeWebhookEndpoint,
    }),
    remove({
      name: 'deleteWebhookEndpoint',
      doc: 'Removes an endpoint. What waits for it is cancelled; its deliveries stay listed.',
      access: 'write',
      http: 'DELETE /webhook-endpoints/:id',
      graphql: 'destroyWebhookEndpoint',
      tool: { name: 'delete_webhook_endpoint', title: 'Delete a webhook endpoint' },
      run: ({ em, caller }, id) => deleteEndpoint(em, { id, userId: caller.userId }),
    }),
  ],
})
