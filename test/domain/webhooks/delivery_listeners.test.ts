// News about deliveries are written for owners who listen, on whichever server, and for nobody else.
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type DeliveryListeners,
  keepDeliveryListeners,
  pruneDeliveryListeners,
} from '../../../server/domain/webhooks/deliveries/delivery_listeners.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let listeners: DeliveryListeners
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  receiver = await openReceiver()
  await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
})
afterAll(async () => {
  await receiver.close()
  await webhooks.close()
})
beforeEach(() => {
  listeners = keepDeliveryListeners({ em: webhooks.ledger.store.em, log: pino({ level: 'silent' }) })
})
afterEach(async () => {
  await listeners.close()
  await webhooks.query('DELETE FROM delivery_listeners')
  await webhooks.query('DELETE FROM facts')
})

/** The kinds of the facts about deliveries that one event causes. */
const newsOfOne = async (): Promise<string[]> => {
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  const found = await webhooks.query<{ kind: string }>(
    `SELECT kind FROM facts WHERE kind LIKE 'delivery.%' ORDER BY id`,
  )
  return found.map(({ kind }) => kind)
}

const NEWS = ['delivery.created', 'delivery.updated']

it('nobody listens, so none is written', async () => {
  expect(await newsOfOne()).toEqual([])
})

it('another owner listens, so none is written', async () => {
  await listeners.listen('somebody else')
  expect(await newsOfOne()).toEqual([])
})

it('the owner listens, so each is written', async () => {
  await listeners.listen(webhooks.ledger.userId)
  expect(await newsOfOne()).toEqual(NEWS)
})

it('an owner who left, or whose server died, is forgotten', async () => {
  const end = await listeners.listen(webhooks.ledger.userId)
  end()
  const later = await webhooks.ledger.openSkewed('2 minutes')
  expect(await pruneDeliveryListeners(webhooks.ledger.store.em(), 10)).toBe(0)
  expect(await pruneDeliveryListeners(later.em(), 10)).toBe(1)
  expect(await newsOfOne()).toEqual([])
})

it('who begins to listen is answered once every transaction that cannot know it has ended', async () => {
  const { store, userId } = webhooks.ledger
  const release = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const older = store.em().transactional(async (tx) => {
    await tx.execute('SELECT pg_current_xact_id()')
    began.resolve()
    await release.promise
  })
  await began.promise
  let isAnswered = false
  const listening = listeners.listen(userId).then(() => {
    isAnswered = true
  })
  await expect
    .poll(() => webhooks.query('SELECT user_id FROM delivery_listeners'))
    .toEqual([{ user_id: userId }])
  expect(isAnswered).toBe(false)
  release.resolve()
  await Promise.all([older, listening])
  expect(isAnswered).toBe(true)
})
