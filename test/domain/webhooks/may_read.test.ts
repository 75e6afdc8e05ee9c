// Before every attempt: may the owner of the endpoint read the item now?
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { deleteItem, updateItem } from '../../../server/domain/ledger/change_item.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { EventName } from '../../../shared/wire/webhook_events.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let grace = ''
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  const { ledger } = webhooks
  const account = await createAccount(ledger.store.em(), { email: 'grace@example.com', plan: 'enterprise' })
  grace = account.userId
  await webhooks.query(`INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'member')`, [
    newUuid7(),
    ledger.teamId,
    grace,
  ])
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

/** Told of a team's item that somebody else submitted; the first attempt fails. */
const oncePending = async (events: readonly EventName[] = ['item.created']): Promise<string> => {
  const teamFilterId = webhooks.ledger.teamId
  await webhooks.endpoint({ url: receiver.url(), events, userId: grace, teamFilterId })
  receiver.respond(500)
  const [item] = await webhooks.ledger.submit({ visibility: 'team' })
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  receiver.respond(200)
  return item?.id ?? ''
}

const again = async () => {
  await webhooks.fanOutAll()
  await webhooks.passTime()
  await webhooks.deliverDue()
  return (await webhooks.deliveries()).map(({ eventType, status }) => `${eventType} ${status}`)
}

const em = () => webhooks.ledger.store.em()
const mine = (id: string) => ({ id, userId: webhooks.ledger.userId })

it('a retry of what became private is not sent', async () => {
  const id = await oncePending()
  await updateItem(em(), mine(id), { visibility: 'private' })
  expect(await again()).toEqual(['item.created cancelled'])
  expect(receiver.heard).toHaveLength(1)
  expect(await webhooks.deliveries()).toMatchObject([
    {
      error: 'the owner of the endpoint may no longer read this item',
      attempts: 2,
      attemptLog: [{ http_status: 500 }, { address: null, http_status: null }],
    },
  ])
})

it('a retry of what may still be read is sent', async () => {
  const id = await oncePending()
  await updateItem(em(), mine(id), { visibility: 'public' })
  expect(await again()).toEqual(['item.created success'])
})

it('what is sent again is judged as of now', async () => {
  const id = await oncePending()
  expect(await again()).toEqual(['item.created success'])
  await updateItem(em(), mine(id), { visibility: 'private' })
  await webhooks.query(
    `UPDATE webhook_deliveries SET status = 'pending', completed_at = NULL, next_attempt_at = pharos_now()`,
  )
  expect(await again()).toEqual(['item.created cancelled'])
})

it('of an item that is gone others than its creator hear only that, if they could read it then', async () => {
  const events = ['item.created', 'item.deleted'] as const
  await deleteItem(em(), mine(await oncePending(events)))
  expect((await again()).toSorted()).toEqual(['item.created cancelled', 'item.deleted success'])
  await webhooks.query('DELETE FROM webhook_deliveries')
  await webhooks.query('DELETE FROM webhook_endpoints')
  const hidden = await oncePending(events)
  await updateItem(em(), mine(hidden), { visibility: 'private' })
  await deleteItem(em(), mine(hidden))
  expect(await again()).toEqual(['item.created cancelled'])
})

it('whoever submitted an item hears of it also when it is gone', async () => {
  const events = ['item.created', 'item.deleted'] as const
  await webhooks.endpoint({ url: receiver.url(), events })
  const [item] = await webhooks.ledger.submit({})
  await deleteItem(em(), mine(item?.id ?? ''))
  expect((await again()).toSorted()).toEqual(['item.created success', 'item.deleted success'])
})
