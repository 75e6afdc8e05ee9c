// Sends a test event to an endpoint, and resends failed deliveries.

import { attribute } from '../contract/attribute.ts'
import { instant } from '../contract/kinds/scalar.ts'
import { resultOf, textMember, wholeMember } from '../contract/result_schema.ts'
import { recover, redeliver } from '../domain/webhooks/deliveries/redeliver.ts'
import { action } from './define.ts'

export const webhookActions = [
  action({
    name: 'testWebhookEndpoint',
    doc: 'Sends a sample `item.created` at once, with `"test": true` in its data, and answers the recorded delivery. It is not tried again. At most 10 a minute.',
    access: 'write',
    http: 'POST /webhook-endpoints/:id/test',
    graphql: 'testWebhookEndpoint',
    graphqlShape: 'mutation',
    accepts: {},
    answers: 'webhook_delivery',
    run: ({ caller, services }, _, id) =>
      services.webhooks.sendSample({ endpointId: id, userId: caller.userId }),
    example: { data: {}, result: {} },
  }),
  action({
    name: 'recoverWebhookEndpoint',
    doc: 'Sends everything again that ended failed or cancelled from a time on, and answers how many deliveries that makes. What was sent again already is not sent once more. After some seconds it answers how far it came: `next_since` is there when there is more, and is the `since` to ask with next.',
    access: 'write',
    http: 'POST /webhook-endpoints/:id/recover',
    graphql: 'recoverWebhookEndpoint',
    graphqlShape: 'mutation',
    accepts: { since: attribute(instant(), 'From when on.', { required: true }) },
    run: async ({ em, caller, services }, { since }, id) => {
      const which = { endpointId: id, userId: caller.userId, since: new Date(since) }
      const { count, nextSince } = await recover({ em }, which)
      services.announceFacts()
      return { count, ...(nextSince === undefined ? {} : { next_since: nextSince.toISOString() }) }
    },
    result: resultOf({
      count: wholeMember('How many deliveries were made.'),
      'next_since?': textMember('From when on to ask again; only when there is more.'),
    }),
    example: { data: { since: '2026-11-20T18:00:00.000Z' }, result: { count: 3 } },
  }),
  action({
    name: 'redeliverWebhookDelivery',
    doc: 'Sends a delivery again: a new record and a new series of attempts, the same bytes and the same `webhook-id`. While it still waits for an attempt no second series begins: that attempt is due at once, and the answer is the record that waits.',
    access: 'write',
    http: 'POST /webhook-deliveries/:id/redeliver',
    graphql: 'redeliverWebhookDelivery',
    graphqlShape: 'mutation',
    accepts: {},
    answers: 'webhook_delivery',
    refuses: ['conflict'],
    run: async ({ em, caller, services }, _, id) => {
      const delivery = await redeliver({ em }, { id, userId: caller.userId })
      services.announceFacts()
      return delivery
    },
    example: { data: {}, result: {} },
  }),
]
