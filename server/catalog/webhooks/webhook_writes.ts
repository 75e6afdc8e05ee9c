// The attributes of a webhook endpoint that a client may set, and the calls of the domain that create, change and
// remove endpoints.
import { EVENT_NAMES, type EventName, isEvent, RESOURCE_TYPES } from '../../../shared/wire/webhook_events.ts'
import { attribute, type Given, type Passed } from '../../contract/attribute.ts'
import {
  boolean,
  enumeration,
  integer,
  names,
  secretText,
  text,
  textMap,
  uuid7,
  word,
} from '../../contract/kinds.ts'
import {
  checkSecretGoesWith,
  checkTeamFilter,
  createEndpoint,
  type EndpointChange,
  updateEndpoint,
} from '../../domain/webhooks/endpoints/change_endpoint.ts'
import { AUTH_TYPES, ENDPOINT_KINDS } from '../../domain/webhooks/endpoints/endpoint.ts'
import {
  checkEvents,
  checkGoesWithKind,
  checkHeaders,
  checkSecret,
  checkTarget,
  checkTeamGoesWith,
  checkUrl,
  ENDPOINT_LIMITS,
} from '../../domain/webhooks/endpoints/endpoint_rules.ts'
import { SIGNINGS } from '../../domain/webhooks/endpoints/signing_keys.ts'
import { present } from '../../kernel/present.ts'
import type { Problem } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'

const LIMITS = ENDPOINT_LIMITS

const EVENTS: readonly EventName[] = ['item.created', 'item.committed']

/** Shown in examples. */
export const EXAMPLE = {
  url: 'https://hooks.example.com/pharos',
  events: EVENTS,
  headers: { 'x-environment': 'staging' },
  signingSecret: `whsec_${Buffer.alloc(32, 'pharos').toString('base64')}`,
  publicKey: `whpk_${Buffer.alloc(32, 'pharos').toString('base64')}`,
} as const

/** The parameter of reads of one endpoint. What cannot be an id is answered like an unknown one, as with the endpoint itself. */
export const ENDPOINT_ID = {
  doc: 'the id of the webhook_endpoint',
  example: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
  schema: uuid7().schema,
  read: (given: string) => given,
}

/** Attributes that both creating and changing accept. */
const changeable = {
  description: attribute(text({ max: LIMITS.description }), 'A label for people.', { nullable: true }),
  auth_type: attribute(enumeration(AUTH_TYPES), '`none` sends no credential and forgets the secret.'),
  auth_secret: attribute(
    secretText({ min: 1, max: LIMITS.secret }),
    'Sent as `Authorization: Bearer …`; needed with `auth_type` `bearer`. Never shown again.',
    { leftOutOfExample: true },
  ),
  custom_headers: attribute(
    textMap({ entries: LIMITS.headers, name: LIMITS.headerName, length: LIMITS.headerValue }),
    'Headers of every delivery, by name. Replaces all of them; the values are never shown again.',
    { nullable: true, example: EXAMPLE.headers },
  ),
  signing: attribute(
    enumeration(SIGNINGS),
    'Signs deliveries (Standard Webhooks). `v1`: by a secret, shown once by create and rotate-secret. `v1a`: by a key pair, whose public half is in `public_keys`. A change forgets the earlier keys.',
    { leftOutOfExample: true },
  ),
  team_filter_id: attribute(
    uuid7(),
    'One of your teams: only its items are told of. Null for all you submit.',
    { nullable: true, leftOutOfExample: true },
  ),
  enabled: attribute(boolean(), 'False pauses it: what happens meanwhile is recorded as cancelled.'),
  max_per_second: attribute(
    integer({ min: 1, max: LIMITS.perSecond }),
    'At most so many requests a second; null for as many as it answers.',
    { nullable: true, leftOutOfExample: true },
  ),
} as const

export const creation = {
  kind: attribute(
    word(ENDPOINT_KINDS),
    '`push` by default: deliveries are sent to `url`. `pull` has no `url`: you read its events.',
    { leftOutOfExample: true },
  ),
  url: attribute(text({ max: LIMITS.url }), 'An https address without credentials; needed for `push`.', {
    example: EXAMPLE.url,
  }),
  resource_type: attribute(word(RESOURCE_TYPES), 'What the events are about.', { required: true }),
  events: attribute(names(EVENT_NAMES, { min: 1 }), 'Which events are delivered; at least one.', {
    required: true,
    example: EXAMPLE.events,
  }),
  ...changeable,
} as const

export const endpointChange = {
  url: attribute(text({ max: LIMITS.url }), 'Another address; judged like the first.', {
    example: EXAMPLE.url,
  }),
  events: attribute(names(EVENT_NAMES, { min: 1 }), 'Replaces the events; at least one.', {
    example: EXAMPLE.events,
  }),
  ...changeable,
} as const

type Creation = Given<typeof creation>
type Change = Given<typeof endpointChange>
type PassedEither = Passed<typeof endpointChange> & Pick<Passed<typeof creation>, 'kind' | 'resource_type'>

/** Checks every rule, including those that query the database or resolve names. Returns all problems. */
export async function checkWebhookEndpoint(
  {
    kind = 'push',
    resource_type = 'item',
    url,
    events,
    auth_type,
    auth_secret,
    custom_headers,
    team_filter_id,
  }: PassedEither,
  { em, caller, services }: Context,
  on: 'create' | 'update',
): Promise<Problem[]> {
  const { guard } = services.webhooks
  const looked = await Promise.all([
    url === undefined ? [] : checkTarget(guard, url),
    team_filter_id ? checkTeamFilter(em, caller.userId, team_filter_id) : [],
  ])
  return [
    ...(url === undefined ? [] : checkUrl(guard, url)),
    // On a change, the stored row decides what the events may be about.
    ...(on === 'create' && events !== undefined ? checkEvents(resource_type, events) : []),
    ...(on === 'create' ? checkTeamGoesWith(resource_type, team_filter_id) : []),
    ...(auth_secret === undefined ? [] : checkSecret(auth_secret)),
    // On a change, the stored row decides whether a secret exists.
    ...(on === 'create' && kind === 'push'
      ? checkSecretGoesWith(auth_type ?? 'none', auth_secret, false)
      : []),
    ...(on === 'create' ? checkGoesWithKind(kind, { url, auth_type, auth_secret, custom_headers }) : []),
    ...(custom_headers ? checkHeaders(custom_headers) : []),
    ...looked.flat(),
  ]
}

/** Creates an endpoint of the caller. @throws required, plan_limit with `meta.limit` */
export const createWebhookEndpoint = ({ em, caller, services }: Context, attributes: Creation) =>
  createEndpoint(
    { em, masterKey: services.webhooks.masterKey },
    {
      ...changeOf(attributes),
      userId: caller.userId,
      kind: attributes.kind ?? 'push',
      resourceType: attributes.resource_type,
      events: eventsOf(attributes.events),
    },
  )

/** Returns the endpoint as it is after the change. @throws not_found, required, invalid_attribute */
export const changeWebhookEndpoint = ({ em, caller, services }: Context, id: string, attributes: Change) =>
  updateEndpoint(
    { em, masterKey: services.webhooks.masterKey },
    { id, userId: caller.userId },
    changeOf(attributes),
  )

/** Narrows the type. An unknown name is refused before or by the domain, because it has to be of the resource. */
const eventsOf = (names: readonly string[]): readonly EventName[] => names.filter(isEvent)

function changeOf(given: Change): EndpointChange {
  const { url, events, description, auth_type, auth_secret, custom_headers, signing, ...rest } = given
  const { team_filter_id, enabled, max_per_second, ...others } = rest
  others satisfies Record<string, never>
  return present({
    url,
    events: events === undefined ? undefined : eventsOf(events),
    description,
    authType: auth_type,
    authSecret: auth_secret,
    customHeaders: custom_headers === undefined ? undefined : Object.entries(custom_headers ?? {}),
    signing,
    teamFilterId: team_filter_id,
    enabled,
    maxPerSecond: max_per_second,
  })
}
