// An endpoint is changed by its owner while its deliveries are being sent. Attempts that begin later follow
// the change.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { updateEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { deleteEndpoint } from '../../server/domain/webhooks/endpoints/endpoint.ts'
import { deliverEndpoint } from '../../server/domain/webhooks/sending/deliver_endpoint.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let elsewhere: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
  elsewhere = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await elsewhere.close()
  await forgetWebhooks(webhooks)
})

const keeper = () => ({ em: webhooks.ledger.store.em(), masterKey: webhooks.ledger.masterKey })
const mine = (id: string) => ({ id, userId: webhooks.ledger.userId })

const ITEMS = 30

// Two attempts are under way at the change. Their results are recorded whatever the change was.
it.each([
  ['disabled', { success: 2, cancelled: 28 }, 0, (id: string) => change(id, { enabled: false })],
  ['deleted', { success: 2, cancelled: 28 }, 0, (id: string) => deleteEndpoint(keeper().em, mine(id))],
  ['moved', { success: 30 }, 28, (id: string) => change(id, { url: elsewhere.url() })],
])('that is %s is called no more as it was', async (_, ends, there, happens) => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit(...Array.from({ length: ITEMS }, () => ({})))
  await webhooks.fanOutAll()
  const held: (() => void)[] = []
  receiver.respond((response) => void held.push(() => response.writeHead(200).end()))
  const worked = deliverEndpoint(webhooks.tools, id)
  await expect.poll(() => held.length).toBe(2)
  await happens(id)
  // Longer than any answer whose record may overlap with the next request.
  const heldFor = () => Date.now() - Number(receiver.heard[1]?.at)
  await expect.poll(heldFor).toBeGreaterThan(200)
  for (const answer of held) answer()
  expect(await worked).toBe('done')
  expect(receiver.heard).toHaveLength(2)
  expect(elsewhere.heard).toHaveLength(there)
  const counts: Record<string, number> = {}
  for (const { status } of await webhooks.deliveries()) counts[status] = (counts[status] ?? 0) + 1
  expect(counts).toEqual(ends)
})

it('that is deleted keeps the attempts that were under way, also those that failed', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const held: (() => void)[] = []
  receiver.respond((response) => void held.push(() => response.writeHead(503).end('later')))
  const worked = deliverEndpoint(webhooks.tools, id)
  await expect.poll(() => held.length).toBe(1)
  await deleteEndpoint(keeper().em, mine(id))
  expect(await webhooks.deliveries()).toMatchObject([{ status: 'cancelled', attempts: 0 }])
  for (const answer of held) answer()
  await worked
  expect(await webhooks.deliveries()).toMatchObject([
    {
      status: 'cancelled',
      error: 'the endpoint was deleted',
      attempts: 1,
      httpStatus: 503,
      responseBody: 'later',
      nextAttemptAt: null,
      attemptLog: [{ number: 1, http_status: 503, error: 'the receiver answered 503' }],
    },
  ])
})

const change = (id: string, wanted: Parameters<typeof updateEndpoint>[2]) =>
  updateEndpoint(keeper(), mine(id), wanted)
