// What can be done with webhook endpoints and their deliveries beside changing them: a sample, deliveries sent again, and
// another signing key.
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { attribute } from '../../contract/attribute.ts'
import { boundedText } from '../../contract/bounds.ts'
import { takenKind } from '../../contract/kind.ts'
import { instant, integer, names, word } from '../../contract/kinds.ts'
import { listMember, type ResultSchema, resultOf, textResult, wholeMember } from '../../contract/operation.ts'
import { storableMs } from '../../contract/stored_form.ts'
import { redeliver } from '../../domain/webhooks/deliveries/redeliver.ts'
import { MOST_REPLAYED, type Rest, recover, replay } from '../../domain/webhooks/deliveries/replay.ts'
import { OVERLAP, rotateSecret } from '../../domain/webhooks/endpoints/change_signing.ts'
import { MOST_KEYS } from '../../domain/webhooks/endpoints/signing_keys.ts'
import { problem } from '../../kernel/refusal.ts'
import { action } from '../define.ts'
import { EXAMPLE } from './webhook_writes.ts'

const WHEN_FORMER_END: ResultSchema<string | null> = {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'When the last earlier key ends; null when none signs beside the new one.',
}

/** e.g. `2026-11-20T18:30:00.000Z/2026-11-20T19:00:00.000Z`, an interval of ISO 8601. */
const writeRest = ({ from, until }: Rest): string => `${from.toISOString()}/${until.toISOString()}`

/** Characters. Longer than any two times with useful digits. */
const LONGEST = 129

/** A time, or the rest of a range as an answer gave it. */
const replayFrom = () =>
  takenKind(
    'replay_from',
    'String',
    boundedText({ max: LONGEST }).refine((text) => {
      const times = text.split('/')
      return times.length <= 2 && times.every((time) => storableMs(time) !== undefined)
    }, 'must be an ISO 8601 time with an offset, or the next_from of an answer'),
    { isPlain: true, example: '2026-11-20T18:00:00.000Z' },
  )

/**
 * What is to be looked at. It ends where the first call ended it, so that nothing which was made since is in it.
 * @param from of the kind `replayFrom`
 */
function restOf(from: string, until: string): Rest {
  const [begin = '', end = until] = from.split('/')
  return { from: new Date(begin), until: new Date(Math.min(Date.parse(end), Date.parse(until))) }
}

const FIRST = 'item.created'
const SAMPLES = [FIRST, ...EVENT_NAMES.filter((name) => name !== FIRST)] as const

export const webhookActions = [
  action({
    name: 'testWebhookEndpoint',
    doc: 'Sends a sample at once, with `"test": true` in its data, and answers the recorded delivery. It is not tried again. At most 10 a minute.',
    access: 'write',
    http: 'POST /webhook-endpoints/:id/test',
    graphqlShape: 'mutation',
    accepts: {
      event: attribute(
        word(SAMPLES),
        'Of which event about what the endpoint is for; the first of these by default.',
        {
          leftOutOfExample: true,
        },
      ),
    },
    answers: 'webhook_delivery',
    run: ({ caller, services }, { event }, id) =>
      services.webhooks.sendSample({ endpointId: id, userId: caller.userId, event }),
  }),
  action({
    name: 'recoverWebhookEndpoint',
    doc: 'Sends everything again that ended failed or cancelled from a time on, and answers how many deliveries that makes. What was sent again already is not sent once more. After some seconds it answers how far it came: `next_since` is there when there is more, and is the `since` to ask with next.',
    access: 'write',
    http: 'POST /webhook-endpoints/:id/recover',
    graphqlShape: 'mutation',
    accepts: { since: attribute(instant(), 'From when on.', { required: true }) },
    run: async ({ em, caller, services }, { since }, id) => {
      const which = { endpointId: id, userId: caller.userId, since: new Date(since) }
      const { sendRetries } = services.webhooks
      const { count, next } = await recover({ em, sendRetries }, which)
      services.announceFacts()
      return { count, ...(next === undefined ? {} : { next_since: next.toISOString() }) }
    },
    result: resultOf({
      count: wholeMember('How many deliveries were made.'),
      'next_since?': textResult('From when on to ask again; only when there is more.'),
    }),
    example: { data: { since: '2026-11-20T18:00:00.000Z' }, result: { count: 3 } },
  }),
  action({
    name: 'replayWebhookEndpoint',
    doc: `Sends everything again that was made for an endpoint in a range of time, whatever became of it, each message once, and answers how many deliveries that makes: ${MOST_REPLAYED.toLocaleString('en')} at most. \`next_from\` is there when there is more, and is the \`from\` to ask with next. What still waits for an attempt is left to it, and what was sent again after the range and got through is left out, so a call can be repeated.`,
    access: 'write',
    http: 'POST /webhook-endpoints/:id/replay',
    graphqlShape: 'mutation',
    accepts: {
      from: attribute(replayFrom(), 'From when on they were made, or the `next_from` of the answer before.', {
        required: true,
      }),
      until: attribute(
        instant(),
        'Until when, this time included. What is made after the first call is not in the range.',
        { required: true },
      ),
      events: attribute(names(EVENT_NAMES, { min: 1 }), 'Those of these events alone; of all without it.', {
        leftOutOfExample: true,
      }),
    },
    check: ({ from, until }) => {
      if (from === undefined || until === undefined) return []
      const rest = restOf(from, until)
      return rest.until < rest.from
        ? [problem('invalid_argument', { path: ['until'], detail: 'lies before from' })]
        : []
    },
    run: async ({ em, caller, services }, { from, until, events }, id) => {
      const { sendRetries } = services.webhooks
      const which = { endpointId: id, userId: caller.userId, ...restOf(from, until), events }
      const { count, rest } = await replay({ em, sendRetries }, which)
      services.announceFacts()
      return { count, ...(rest === undefined ? {} : { next_from: writeRest(rest) }) }
    },
    result: resultOf({
      count: wholeMember('How many deliveries were made.'),
      'next_from?': textResult(
        'The rest of the range, to ask again with as `from`; only when there is more. Two times with a slash between.',
      ),
    }),
    example: {
      data: { from: '2026-11-20T18:00:00.000Z', until: '2026-11-20T19:00:00.000Z' },
      result: { count: 250 },
    },
  }),
  action({
    name: 'rotateWebhookEndpointSecret',
    doc: 'Makes a new key for an endpoint that signs. For `v1` the answer has `signing_secret`, shown only this once; for `v1a` the public half is in `public_keys`. Earlier keys sign beside the new one for `overlap` seconds; 0 ends them at once.',
    access: 'write',
    http: 'POST /webhook-endpoints/:id/rotate-secret',
    graphqlShape: 'mutation',
    accepts: {
      overlap: attribute(
        integer({ min: 0, max: OVERLAP.most }),
        'Seconds for which earlier keys sign too; a day by default.',
        { example: OVERLAP.usual },
      ),
    },
    refuses: ['conflict'],
    run: async ({ em, caller, services }, { overlap = OVERLAP.usual }, id) => {
      const sealing = { em, masterKey: services.webhooks.masterKey }
      const rotated = await rotateSecret(sealing, { id, userId: caller.userId, overlap })
      services.announceFacts()
      const { secret, publicKeys, formerUntil } = rotated
      return {
        ...(secret === undefined ? {} : { signing_secret: secret }),
        public_keys: publicKeys,
        former_until: formerUntil?.toISOString() ?? null,
      }
    },
    result: resultOf({
      'signing_secret?': textResult('The new secret of `v1`, shown only this once.'),
      public_keys: listMember(
        textResult('`whpk_` and the key in base64.'),
        MOST_KEYS,
        'Of `v1a`: the keys that sign, the newest first.',
      ),
      former_until: WHEN_FORMER_END,
    }),
    example: {
      data: { overlap: OVERLAP.usual },
      result: {
        signing_secret: EXAMPLE.signingSecret,
        public_keys: [],
        former_until: '2026-11-21T18:00:00.000Z',
      },
    },
  }),
  action({
    name: 'redeliverWebhookDelivery',
    doc: 'Sends a delivery again: a new record and a new series of attempts, the same bytes and the same `webhook-id`. While it still waits for an attempt no second series begins: that attempt is due at once, and the answer is the record that waits.',
    access: 'write',
    http: 'POST /webhook-deliveries/:id/redeliver',
    graphqlShape: 'mutation',
    accepts: {},
    answers: 'webhook_delivery',
    refuses: ['conflict'],
    run: async ({ em, caller, services }, _, id) => {
      const { sendRetries } = services.webhooks
      const delivery = await redeliver({ em, sendRetries }, { id, userId: caller.userId })
      services.announceFacts()
      return delivery
    },
  }),
]
