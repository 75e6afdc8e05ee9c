// A receiver that answers 410 wants to be called no more: its endpoint is switched off at once.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { updateEndpoint } from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { sendSample } from '../../../server/domain/webhooks/sending/send_sample.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeEach(async () => {
  webhooks = await openTestWebhooks()
  receiver = await openReceiver()
  receiver.respond(410)
})
afterEach(async () => {
  await receiver.close()
  await webhooks.close()
})

const standing = async () => {
  const [endpoint] = await webhooks.query<object>(
    'SELECT enabled, disabled_reason, consecutive_failures FROM webhook_endpoints',
  )
  return endpoint
}

it('what waits for it is cancelled without another request, and its owner switches it on again', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  receiver.respond(500)
  await webhooks.deliverDue()
  await webhooks.ledger.submit(...Array.from({ length: 40 }, () => ({})))
  await webhooks.fanOutAll()
  receiver.respond(410)
  await webhooks.deliverDue()
  expect(await standing()).toEqual({ enabled: false, disabled_reason: 'gone', consecutive_failures: 0 })
  // Those that were sent before the first answer was recorded.
  const requests = receiver.heard.length
  expect(requests).toBeLessThan(25)
  await webhooks.passTime()
  await webhooks.deliverDue()
  expect(receiver.heard).toHaveLength(requests)
  const deliveries = await webhooks.deliveries()
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['cancelled']))
  expect(new Set(deliveries.map(({ error }) => error))).toEqual(
    new Set(['the receiver answered 410', 'the endpoint is disabled']),
  )
  const { userId, masterKey, store } = webhooks.ledger
  await updateEndpoint({ em: store.em(), masterKey }, { id, userId }, { enabled: true })
  expect(await standing()).toEqual({ enabled: true, disabled_reason: null, consecutive_failures: 0 })
})

it('the answer of an address that its owner has changed meanwhile switches nothing off', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  const { userId, masterKey, store } = webhooks.ledger
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  receiver.respond((response) => {
    void updateEndpoint(
      { em: store.em(), masterKey },
      { id, userId },
      { url: receiver.url('127.0.0.1', '/new') },
    ).then(() => response.writeHead(410).end())
  })
  await webhooks.deliverDue()
  expect((await webhooks.deliveries()).map(({ httpStatus }) => httpStatus)).toEqual([410])
  expect(await standing()).toMatchObject({ enabled: true, disabled_reason: null })
})

it('what its owner has switched off stays off for that reason, and a sample switches nothing off', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  const { userId, masterKey, store } = webhooks.ledger
  const sample = await sendSample(webhooks.tools, { endpointId: id, userId })
  expect(sample).toMatchObject({ status: 'cancelled', httpStatus: 410 })
  expect(await standing()).toMatchObject({ enabled: true, disabled_reason: null })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  receiver.respond((response) => {
    void updateEndpoint({ em: store.em(), masterKey }, { id, userId }, { enabled: false }).then(() =>
      response.writeHead(410).end(),
    )
  })
  await webhooks.deliverDue()
  expect(await standing()).toMatchObject({ enabled: false, disabled_reason: 'manual' })
})
