// Sending a delivery again: a message is under way to an endpoint once at a time, and a sample stays a sample.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { redeliver } from '../../../server/domain/webhooks/deliveries/redeliver.ts'
import { sendSample } from '../../../server/domain/webhooks/sending/send_sample.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
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

const sendAgain = (id: string) =>
  redeliver({ em: webhooks.ledger.store.em(), sendRetries }, { id, userId: webhooks.ledger.userId })

const waiting = async (): Promise<string> => {
  await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  receiver.respond(500)
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  return (await webhooks.deliveries())[0]?.id ?? ''
}

it('what still waits gets no second series: its next attempt is due at once', async () => {
  const id = await waiting()
  await webhooks.deliverDue()
  expect(receiver.heard).toHaveLength(1)
  const answered = await Promise.all(Array.from({ length: 4 }, () => sendAgain(id)))
  for (const one of answered) expect(one).toMatchObject({ id, status: 'pending', attempts: 1 })
  receiver.respond(200)
  await webhooks.deliverDue()
  expect(receiver.heard).toHaveLength(2)
  expect(await webhooks.deliveries()).toMatchObject([{ id, status: 'success', attempts: 2 }])
})

it('what has ended gets one new series, however many ask while it is under way', async () => {
  const id = await waiting()
  await webhooks.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, completed_at = pharos_now()`,
  )
  const answered = await Promise.all(Array.from({ length: 4 }, () => sendAgain(id)))
  expect(new Set(answered.map((one) => one.id)).size).toBe(1)
  expect(answered[0]?.id).not.toBe(id)
  receiver.respond(200)
  await webhooks.deliverDue()
  expect(receiver.heard).toHaveLength(2)
  expect((await webhooks.deliveries()).map(({ status }) => status)).toEqual(['failed', 'success'])
})

it('a sample that is sent again has one attempt, and is no failure of its endpoint', async () => {
  const { id: endpointId } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  receiver.respond(503)
  const sample = await sendSample(webhooks.tools, { endpointId, userId: webhooks.ledger.userId })
  expect(sample).toMatchObject({ status: 'failed', attempts: 1 })
  const { id } = await sendAgain(sample.id)
  await webhooks.deliverDue()
  expect((await webhooks.deliveries()).find((one) => one.id === id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    messageId: sample.messageId,
  })
  const [endpoint] = await webhooks.query('SELECT consecutive_failures FROM webhook_endpoints')
  expect(endpoint).toEqual({ consecutive_failures: 0 })
})
