// The events of a pull endpoint: its deliveries in the order in which they were made, for a reader that asks for them.
import { sql } from 'kysely'
import { z } from 'zod'
import { readId } from '../../contract/attribute.ts'
import { listOf, text, uuid7 } from '../../contract/kinds.ts'
import { resultOf } from '../../contract/operation.ts'
import { bareRow, field, type Resource } from '../../contract/resource.ts'
import { LONGEST_WAIT_SECONDS, pullEvents, WAIT_PLACES } from '../../domain/webhooks/pulling/pull_waits.ts'
import {
  MOST_EVENTS,
  PLACE_LENGTH,
  type PulledEvent,
  pullPlace,
} from '../../domain/webhooks/pulling/read_events.ts'
import type { Context } from '../context.ts'
import { read, resource } from '../define.ts'
import { PAYLOAD_LENGTH } from './webhook_delivery.ts'
import { ENDPOINT_ID } from './webhook_writes.ts'

/** The longest value is that of five signatures. */
const LENGTHS = { headers: 16, name: 32, value: 512 } as const

const EVENT = resultOf(
  {
    id: { ...uuid7().schema, description: 'The id of the `webhook_delivery`.' },
    headers: {
      type: 'object',
      description: 'The headers of the request that a push endpoint would get, by lower-case name.',
      propertyNames: { type: 'string', maxLength: LENGTHS.name },
      maxProperties: LENGTHS.headers,
      additionalProperties: { type: 'string', maxLength: LENGTHS.value },
    },
    body: {
      type: 'string',
      maxLength: PAYLOAD_LENGTH,
      description: 'The body of that request, byte for byte: a signature is over these bytes.',
    },
  },
  'PulledWebhookEvent',
)

const EXAMPLE_PLACE = pullPlace.write({ xid: '4711', id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' })

/** The longest request may take half a minute, so bodies leave most of an answer's room to their escapes. */
const ROOM_SHARE = 4

interface EventPage {
  /** Of the endpoint. */
  readonly id: string
  readonly events: readonly PulledEvent[]
  readonly next: string
}

export const webhookEvents: Resource<EventPage, Context> = resource<EventPage>()({
  type: 'webhook_endpoint_events',
  path: '/webhook-endpoints',
  id: uuid7(),
  doc: 'Deliveries of a pull endpoint from a place on, and the place after them.',
  fields: {
    events: field(
      listOf(z.custom<PulledEvent>().meta(EVENT), MOST_EVENTS, { mayBeEmpty: true }),
      'What a push endpoint would be sent.',
      {
        example: [
          {
            id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
            headers: { 'webhook-id': 'msg_01MB78W7FGY7TZHKNWE7WA3Z57', 'x-pharos-event': 'item.created' },
            body: '{"type":"item.created","timestamp":1795197600,"data":{}}',
          },
        ],
      },
    ),
    next: field(text({ max: PLACE_LENGTH }), 'The `after` to ask with next.', { example: EXAMPLE_PLACE }),
  },
  table: 'webhook_endpoints',
  hydrate: () => {
    throw new Error('Events are read by their place, and no row holds them.')
  },
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}`,
  operations: [
    read({
      name: 'listWebhookEndpointEvents',
      doc: `Up to ${MOST_EVENTS} deliveries of a pull endpoint, in the order in which they were made, none passed over. The place is yours: reading takes nothing away, and what is older than 31 days is gone. With \`wait\` an answer without deliveries is held back until one comes: ${WAIT_PLACES.endpoint} requests of an endpoint and ${WAIT_PLACES.account} of an account may wait on a server.`,
      access: 'read',
      http: 'GET /webhook-endpoints/:id/events',
      waits: true,
      parameters: {
        id: ENDPOINT_ID,
        after: {
          doc: 'the `next` of the answer before; without it from the oldest delivery on',
          example: EXAMPLE_PLACE,
          schema: { type: 'string', maxLength: PLACE_LENGTH },
          absent: '',
          read: (given) => (given === '' || pullPlace.read(given) !== undefined ? given : undefined),
        },
        wait: {
          doc: `a whole number of seconds, ${LONGEST_WAIT_SECONDS} at most, to wait when there is nothing`,
          example: '20',
          schema: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT_SECONDS, default: 0 },
          absent: '0',
          onHttpAlone: true,
          read: (given) =>
            /^\d{1,2}$/.test(given) && Number(given) <= LONGEST_WAIT_SECONDS ? given : undefined,
        },
      },
      run: async (context, { id, after, wait }) => {
        const { em, caller, services, aside } = context
        const { masterKey, waits, recordRead } = services.webhooks
        const endpointId = readId(id)
        const { events, place } = await pullEvents(
          { em, masterKey, waits, recordRead },
          { endpointId, userId: caller.userId, after: pullPlace.read(after) ?? pullPlace.beginning },
          {
            waitMs: Number(wait) * 1_000,
            aside,
            room: services.ceilings.response_bytes / ROOM_SHARE,
          },
        )
        return bareRow(webhookEvents, context, { id: endpointId, events, next: pullPlace.write(place) })
      },
    }),
  ],
})
