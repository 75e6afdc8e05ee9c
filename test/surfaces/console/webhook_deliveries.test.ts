// Webhook deliveries on the console stream: told to the owner of the endpoint, without payload, and to nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import type { StreamEvent } from '../../../shared/wire/console_stream.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

let webhooks: TestWebhooks
let server: ConsoleServer
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  server = await startConsoleServer(webhooks.ledger)
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
  await webhooks.close()
})

it('deliveries are told as they are made and as they change', async () => {
  const em = webhooks.ledger.store.em()
  const bob = await createAccount(em, { email: 'bob@example.com', firstName: 'Bob', plan: 'free' })
  const listen = async (userId: string) => {
    const { secret } = await createApiKey(em, { userId, name: 'stream' })
    const client = await connect(server.url, secret)
    expect(await client.ask('subscribe', { stream: 'webhook_deliveries' })).toEqual({ ok: true })
    return client
  }
  const mine = await listen(webhooks.ledger.userId)
  const theirs = await listen(bob.userId)
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  const [item] = await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  await eventually(() => mine.of('delivery.updated').length).toBe(1)
  const [created] = mine.of('delivery.created') as unknown as StreamEvent[]
  const [updated] = mine.of('delivery.updated') as unknown as StreamEvent[]
  expect(created).toEqual({
    stream: 'webhook_deliveries',
    at: expect.stringMatching(/Z$/),
    data: expect.objectContaining({
      endpoint_id: id,
      event_type: 'item.created',
      resource_id: item?.id,
      status: 'pending',
      attempts: 0,
    }),
  })
  expect(updated?.data).toMatchObject({
    id: created?.data.id,
    status: 'success',
    http_status: 200,
    attempts: 1,
  })
  for (const { data } of [created, updated].flatMap((one) => (one === undefined ? [] : [one])))
    for (const secret of ['payload', 'response_body', 'attempt_log']) expect(data).not.toHaveProperty(secret)
  expect(theirs.told.filter(({ event }) => event.startsWith('delivery'))).toEqual([])
  for (const { socket } of [mine, theirs]) socket.disconnect()
})
