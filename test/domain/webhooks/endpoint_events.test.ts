// Events about endpoints: told to the other endpoints of their owner, once, and with nothing that is secret.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import {
  type NewEndpoint,
  updateEndpoint,
} from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { rotateSecret } from '../../../server/domain/webhooks/endpoints/change_signing.ts'
import { disableEndpointsOf } from '../../../server/domain/webhooks/endpoints/endpoint.ts'
import { eventsOf } from '../../../shared/wire/webhook_events.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

const sealing = () => ({ em: webhooks.ledger.store.em(), masterKey: webhooks.ledger.masterKey })
const owned = (id: string) => ({ id, userId: webhooks.ledger.userId })
/** One that is asked, so that only what is looked at is sent. */
const listener = (wanted: Partial<NewEndpoint> = {}) =>
  webhooks.endpoint({
    kind: 'pull',
    resourceType: 'webhook_endpoint',
    events: eventsOf('webhook_endpoint'),
    ...wanted,
  })
const other = (wanted: Partial<NewEndpoint> = {}) =>
  webhooks.endpoint({ url: receiver.url('127.0.0.1', '/secret-path'), events: ['item.created'], ...wanted })
const told = async (endpointId: string) => {
  await webhooks.fanOutAll()
  return (await webhooks.deliveries(endpointId)).map(({ payload, resourceType, resourceId }) => {
    const { type, data } = JSON.parse(payload)
    expect([resourceType, resourceId]).toEqual(['webhook_endpoint', data.id])
    return { type, ...data }
  })
}

it('ten deliveries in a row that fail for good are told once, and again after one got through', async () => {
  const { id: heard } = await listener()
  const { id } = await other()
  const fail = async (count: number, status = 500): Promise<void> => {
    receiver.respond(status)
    for (let n = 0; n < count; n += 1) await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.query(
      `UPDATE webhook_deliveries SET attempts = 11 WHERE status = 'pending' AND endpoint_id = $1`,
      [id],
    )
    await webhooks.deliverDue()
  }
  await fail(9)
  expect(await told(heard)).toEqual([])
  await fail(3)
  expect(await told(heard)).toMatchObject([
    { type: 'webhook_endpoint.failing', id, enabled: true, last_failure_at: expect.any(String) },
  ])
  await fail(1, 200)
  await fail(10)
  expect((await told(heard)).map(({ type }) => type)).toEqual([
    'webhook_endpoint.failing',
    'webhook_endpoint.failing',
  ])
})

it('switching off is told with its reason, whoever does it, and once', async () => {
  const { id: heard } = await listener()
  const { id } = await other()
  await updateEndpoint(sealing(), owned(id), { enabled: false })
  await updateEndpoint(sealing(), owned(id), { enabled: false, description: 'x' })
  expect(await told(heard)).toMatchObject([
    { type: 'webhook_endpoint.disabled', id, enabled: false, disabled_reason: 'manual' },
  ])
  await updateEndpoint(sealing(), owned(id), { enabled: true })
  await webhooks.query(
    `UPDATE webhook_endpoints SET consecutive_failures = 19, failing_since = now() - interval '4 days' WHERE id = $1`,
    [id],
  )
  receiver.respond(500)
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.query(
    `UPDATE webhook_deliveries SET attempts = 11 WHERE status = 'pending' AND endpoint_id = $1`,
    [id],
  )
  await webhooks.deliverDue()
  expect((await told(heard)).map(({ type, disabled_reason }) => [type, disabled_reason])).toEqual([
    ['webhook_endpoint.disabled', 'manual'],
    ['webhook_endpoint.failing', null],
    ['webhook_endpoint.disabled', 'failing'],
  ])
})

it('a new key is told without the key, and without the address', async () => {
  const { id: heard } = await listener()
  const { id, signingSecret } = await other({ signing: 'v1' })
  const { secret } = await rotateSecret(sealing(), { ...owned(id), overlap: 60 })
  const [event] = await told(heard)
  expect(event).toMatchObject({ type: 'webhook_endpoint.secret_rotated', id, signing: 'v1' })
  const text = JSON.stringify(
    await webhooks.query('SELECT payload FROM webhook_deliveries UNION SELECT data::text FROM facts'),
  )
  for (const hidden of [secret, signingSecret, 'secret-path'])
    expect(text).not.toContain(hidden ?? expect.fail('none'))
})

it('an endpoint hears nothing about itself, and nothing of what others own', async () => {
  const { id: first } = await listener({ signing: 'v1' })
  const { id: second } = await listener()
  const { userId } = await createAccount(webhooks.ledger.store.em(), {
    email: 'grace@example.com',
    plan: 'enterprise',
  })
  const { id: foreign } = await listener({ userId })
  await rotateSecret(sealing(), { ...owned(first), overlap: 0 })
  expect([await told(first), (await told(second)).length, await told(foreign)]).toEqual([[], 1, []])
})

it('endpoints of an account that is disabled are told to nobody as pending', async () => {
  const { id: heard } = await listener()
  await other()
  await disableEndpointsOf(webhooks.ledger.store.em(), webhooks.ledger.userId)
  await webhooks.fanOutAll()
  expect((await webhooks.deliveries(heard)).map(({ status }) => status)).toEqual(['cancelled'])
})

it('the events and the team have to go with what an endpoint is about', async () => {
  const { id } = await listener()
  const change = (wanted: object) => updateEndpoint(sealing(), owned(id), wanted)
  await expect(change({ events: ['item.created'] })).rejects.toMatchObject({
    problems: [{ code: 'invalid_attribute', meta: { reason: 'unknown_event' } }],
  })
  await expect(change({ teamFilterId: webhooks.ledger.teamId })).rejects.toMatchObject({
    problems: [{ code: 'invalid_attribute', path: ['team_filter_id'] }],
  })
})
