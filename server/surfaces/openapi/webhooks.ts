// Describes the requests that webhook receivers get: one entry per event, with its headers, payload and answers.
import { EVENT_NAMES, EVENTS, type EventName, resourceOf } from '../../../shared/wire/webhook_events.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { uuid7 } from '../../contract/kinds.ts'
import { wholeObject } from '../../contract/schemas.ts'
import { MOST_KEYS } from '../../domain/webhooks/endpoints/signing_keys.ts'
import { RETRIES } from '../../domain/webhooks/sending/outcome.ts'
import { exampleFields } from './bodies.ts'
import { type Components, componentName, type Node, type Reference } from './components.ts'
import { resourceSchemas } from './resource_schemas.ts'

const AGAIN = `Tried again later, ${RETRIES.attempts} times in all.`
const AGAIN_WHEN_ASKED = `${AGAIN} Not before \`Retry-After\` says, if it comes along.`

/** The webhooks by event name. */
export function webhooks(components: Components): Node {
  components.put('schemas', 'WebhookEvent', {
    description: 'What a receiver is sent, by its `type`.',
    anyOf: EVENT_NAMES.map((event) => putEvent(components, event)),
  })
  return Object.fromEntries(
    EVENT_NAMES.map((event) => [event, { post: operation(components, event) }] as const),
  )
}

/** e.g. `item.created` → `ItemCreated` */
const nameOf = (event: EventName): string => componentName(event.replaceAll('.', '_'))

function operation(components: Components, event: EventName): Node {
  const { meaning } = EVENTS[event]
  const name = nameOf(event)
  return {
    operationId: `receive${name}`,
    tags: ['webhook_endpoint'],
    summary: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`,
    description: [
      'Sent to every enabled endpoint that subscribes to it, at least once and in no promised order:',
      'the same `webhook-id` means the same event. The `custom_headers` of the endpoint come along; with `auth_type`',
      '`bearer` so does `Authorization` with its `auth_secret`: compare it in constant time. With `signing` check the signature.',
      'Answer within 15 s. A connection that fails counts like a 503.',
    ].join(' '),
    // A receiver's authentication is not a credential of this service. With it, the explorer would ask for one.
    security: [],
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': components.content(
          putEvent(components, event),
          `${name}Event`,
          example(components.catalog, event),
        ),
      },
    },
    responses: RESPONSES,
  }
}

/** How the service treats each answer. Up to 16 KiB of its body are kept for the endpoint's owner. */
const RESPONSES: Node = {
  '2XX': { description: 'Taken.' },
  408: { description: AGAIN },
  429: { description: AGAIN_WHEN_ASKED },
  503: { description: AGAIN_WHEN_ASKED },
  '5XX': { description: AGAIN },
  default: {
    description: 'Not wanted: the delivery is cancelled and not tried again. Redirects are not followed.',
  },
}

function putEvent(components: Components, event: EventName): Reference {
  const resource = resourceOf(event)
  const names = Object.keys(EVENTS[event].example)
  const schemas = resourceSchemas(components, components.catalog.related(resource))
  const owner = componentName(resource)
  const data =
    names.length === 1
      ? schemas.some(`Deleted${owner}`, names)
      : schemas.some(`${owner}Snapshot`, names, resource === 'item' ? TEST : {})
  const timestamp = {
    type: 'integer',
    minimum: 0,
    maximum: LAST_SECOND,
    description: 'Seconds since 1970 when the event was written down.',
  }
  return components.put(
    'schemas',
    `${nameOf(event)}Event`,
    wholeObject({ type: { type: 'string', const: event, description: 'The event.' }, timestamp, data }),
  )
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

const TEST: Node = {
  test: {
    type: 'boolean',
    const: true,
    description: 'Of a sample that was asked for; such an item does not exist.',
  },
}

/** `v1a,`, 64 bytes in base64, and a space. */
const LONGEST_SIGNATURE = 93
const SIGNATURES = '^v1a?,[A-Za-z0-9+/]+=*( v1a?,[A-Za-z0-9+/]+=*)*$'

const HEADERS: readonly Node[] = [
  {
    name: 'webhook-id',
    description: 'The id of the message, the same for all its attempts: take each one once.',
    schema: { type: 'string', pattern: '^msg_[0-9A-HJKMNP-TV-Z]{26}$', maxLength: 30 },
  },
  {
    name: 'x-pharos-event',
    description: 'The event.',
    schema: { type: 'string', enum: EVENT_NAMES },
  },
  { name: 'x-pharos-delivery', description: 'The id of the `webhook_delivery`.', schema: uuid7().schema },
  {
    name: 'x-pharos-timestamp',
    description: 'Seconds since 1970 at this attempt.',
    schema: { type: 'integer', minimum: 0, maximum: LAST_SECOND },
  },
  { name: 'user-agent', description: 'Who sends.', schema: { type: 'string', const: 'pharos-Webhook/1.0' } },
]

const HEADERS_OF_SIGNED: readonly Node[] = [
  {
    name: 'webhook-timestamp',
    description: 'Seconds since 1970 at this attempt. Only with `signing`.',
    schema: { type: 'integer', minimum: 0, maximum: LAST_SECOND },
  },
  {
    name: 'webhook-signature',
    description:
      'Signatures over `webhook-id`, `webhook-timestamp` and the body, joined by full stops, a space between two: `v1,` and HMAC-SHA256, or `v1a,` and Ed25519, in base64 (Standard Webhooks). Only with `signing`.',
    schema: { type: 'string', pattern: SIGNATURES, maxLength: MOST_KEYS * LONGEST_SIGNATURE },
  },
]

/** Inlined for each event, because some client generators drop components that only webhooks refer to. */
const PARAMETERS: readonly Node[] = [
  ...HEADERS.map((header) => ({ ...header, in: 'header', required: true })),
  ...HEADERS_OF_SIGNED.map((header) => ({ ...header, in: 'header' })),
]

function example(catalog: Catalog, event: EventName): object {
  const { id, fields } = catalog.related(resourceOf(event))
  const values: Record<string, unknown> = { id: id.example, ...exampleFields(fields) }
  return {
    type: event,
    timestamp: 1_795_197_600,
    data: Object.fromEntries(Object.keys(EVENTS[event].example).map((name) => [name, values[name] ?? null])),
  }
}
