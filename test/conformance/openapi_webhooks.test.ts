// Receivers are sent what the document says: every event's payload and headers, and a sample, from the item to the wire.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteItem } from '../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { updateEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { rotateSecret } from '../../server/domain/webhooks/endpoints/change_signing.ts'
import { sendSample } from '../../server/domain/webhooks/sending/send_sample.ts'
import { EVENT_NAMES, eventsOf } from '../../shared/wire/webhook_events.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { claimsOf } from '../support/ledger.ts'
import { type Heard, openReceiver, type Receiver } from '../support/receiver.ts'
import { redactItem, unredactItem } from '../support/redaction.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'
import { asSchema, type Schema, violations } from '../surfaces/openapi/json_schema.ts'
import { openDocument, resolver } from '../surfaces/openapi/open_document.ts'

const document = openDocument()
const resolve = resolver(document)
const checker = { resolve, closed: true }
const follow = (node: unknown): Schema => {
  const schema = asSchema(node)
  return typeof schema.$ref === 'string' ? resolve(schema.$ref) : schema
}

let webhooks: TestWebhooks
let receiver: Receiver
let endpointId = ''
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  receiver = await openReceiver()
  const auth = { authType: 'bearer', authSecret: 'a secret of theirs', signing: 'v1' } as const
  const { id } = await webhooks.endpoint({ url: receiver.url(), ...auth })
  endpointId = id
})
afterAll(async () => {
  await receiver.close()
  await webhooks.close()
})

/** As HTTP itself has it, or as the document says in words. */
const TRANSPORT: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
])

function differences({ headers, body }: Heard): string[] {
  const event = String(headers['x-pharos-event'])
  const { parameters, requestBody } = asSchema(asSchema(asSchema(document.webhooks)[event]).post)
  const content = asSchema(asSchema(asSchema(requestBody).content)[String(headers['content-type'])])
  const documented = (parameters as unknown[]).map(follow)
  const names = documented.map(({ name }) => String(name))
  return [
    ...violations(checker, asSchema(content.schema), JSON.parse(body)),
    ...Object.keys(headers).filter((name) => !TRANSPORT.has(name) && !names.includes(name)),
    ...documented.flatMap(({ name, schema }) => {
      const text = headers[String(name)]
      const value = asSchema(schema).type === 'integer' ? Number(text) : text
      return violations(checker, asSchema(schema), value, `${name}`)
    }),
  ]
}

/** Everything that endpoints hear of another one. */
async function changeEndpoints(): Promise<void> {
  const { ledger } = webhooks
  const sealing = { em: ledger.store.em(), masterKey: ledger.masterKey }
  await webhooks.endpoint({
    url: receiver.url(),
    resourceType: 'webhook_endpoint',
    events: eventsOf('webhook_endpoint'),
    signing: 'v1',
  })
  const { id } = await webhooks.endpoint({
    url: receiver.url(),
    events: ['item.deleted'],
    signing: 'v1',
    enabled: true,
  })
  await rotateSecret(sealing, { id, userId: ledger.userId, overlap: 0 })
  await webhooks.query(
    'UPDATE webhook_endpoints SET consecutive_failures = 10, failing_since = now() WHERE id = $1',
    [id],
  )
  await updateEndpoint(sealing, { id, userId: ledger.userId }, { enabled: false })
}

describe('the section of webhooks', () => {
  it('has every event there is, each with an example that is one', () => {
    expect(Object.keys(asSchema(document.webhooks))).toEqual(EVENT_NAMES)
    for (const one of Object.values(asSchema(document.webhooks))) {
      const { content } = asSchema(asSchema(asSchema(one).post).requestBody)
      const { schema, examples } = asSchema(asSchema(content)['application/json'])
      const example = follow(asSchema(examples).typical)
      expect(violations(checker, asSchema(schema), example.value)).toEqual([])
    }
  })

  it('tells what is sent', async () => {
    const { ledger, tools } = webhooks
    const em = ledger.store.em()
    const [item] = await ledger.submit({ tags: ['a tag'] })
    await webhooks.fanOutAll()
    await ledger.finalize()
    await commitBlocks({ em })
    const which = { id: item?.id ?? '', userId: ledger.userId }
    expect(await redactItem(em, which)).toBe('changed')
    expect(await unredactItem(em, { ...which, claims: submittedClaims(claimsOf('a file')) })).toBe('changed')
    await deleteItem(em, which)
    await changeEndpoints()
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    await sendSample(tools, { endpointId, userId: ledger.userId })
    const events = receiver.heard.map(({ headers }) => String(headers['x-pharos-event']))
    expect(events.toSorted()).toEqual(['item.created', ...EVENT_NAMES].toSorted())
    for (const heard of receiver.heard) expect(differences(heard), heard.body).toEqual([])
    expect(receiver.heard.filter(({ body }) => JSON.parse(body).data.test === true)).toHaveLength(1)
  })
})
