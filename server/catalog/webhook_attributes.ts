// The attributes of a webhook endpoint that a client may set. The domain checks the rules beyond their kinds.
import { EVENT_NAMES, type EventName, RESOURCE_TYPES } from '../../shared/wire/webhook_events.ts'
import { attribute, type Given, type Passed } from '../contract/attribute.ts'
import { uuid7 } from '../contract/kinds/identifier.ts'
import { boolean, enumeration, word } from '../contract/kinds/scalar.ts'
import { names, secretText, text, textMap } from '../contract/kinds/text.ts'
import { AUTH_TYPES } from '../domain/webhooks/endpoints/endpoint.ts'
import { ENDPOINT_LIMITS } from '../domain/webhooks/endpoints/endpoint_rules.ts'

const LIMITS = ENDPOINT_LIMITS

const EVENTS: readonly EventName[] = ['item.created', 'item.committed']

/** Shown in examples. */
export const EXAMPLE = {
  url: 'https://hooks.example.com/pharos',
  events: EVENTS,
  headers: { 'x-environment': 'staging' },
} as const

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
  team_filter_id: attribute(
    uuid7(),
    'One of your teams: only its items are told of. Null for all you submit.',
    { nullable: true, leftOutOfExample: true },
  ),
  enabled: attribute(boolean(), 'False pauses it: what happens meanwhile is recorded as cancelled.'),
} as const

export const creation = {
  url: attribute(text({ max: LIMITS.url }), 'An https address without credentials.', {
    required: true,
    example: EXAMPLE.url,
  }),
  resource_type: attribute(word(RESOURCE_TYPES), 'What the events are about.', { required: true }),
  events: attribute(names(EVENT_NAMES, { min: 1 }), 'Which events are delivered; at least one.', {
    required: true,
    example: EXAMPLE.events,
  }),
  ...changeable,
} as const

export const change = {
  url: attribute(text({ max: LIMITS.url }), 'Another address; judged like the first.', {
    example: EXAMPLE.url,
  }),
  events: attribute(names(EVENT_NAMES, { min: 1 }), 'Replaces the events; at least one.', {
    example: EXAMPLE.events,
  }),
  ...changeable,
} as const

export type Creation = Given<typeof creation>
export type Change = Given<typeof change>
/** `resource_type` has no rule beyond its kind, so it is not part of this type. */
export type PassedEither = Passed<typeof change>
