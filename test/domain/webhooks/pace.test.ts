// An owner bounds how many requests a second an endpoint gets: it gets no more, from however many servers.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { updateEndpoint } from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { deliverEndpoint } from '../../../server/domain/webhooks/sending/deliver_endpoint.ts'
import { Pace } from '../../../server/domain/webhooks/sending/pace.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { deliveryTools, openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeEach(async () => {
  webhooks = await openTestWebhooks()
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await webhooks.close()
})

const waiting = async (count: number, maxPerSecond: number | null): Promise<string> => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'], maxPerSecond })
  await webhooks.ledger.submit(...Array.from({ length: count }, () => ({})))
  await webhooks.fanOutAll()
  return id
}

/** When each attempt began, in milliseconds. */
const begun = async (): Promise<number[]> =>
  (await webhooks.deliveries())
    .flatMap(({ attemptLog }) => attemptLog.map(({ at }) => Date.parse(at)))
    .toSorted((one, other) => one - other)

/** The shortest time in which one more began than a second has room for. */
const shortest = (times: readonly number[], perSecond: number): number =>
  Math.min(...times.slice(perSecond).map((at, n) => at - (times[n] ?? 0)))

it('two servers together begin no more a second than the endpoint wants', async () => {
  const id = await waiting(16, 5)
  const other = deliveryTools(webhooks.ledger.store, webhooks.ledger.masterKey, {})
  const isOver = async () => (await webhooks.deliveries()).every(({ status }) => status === 'success')
  const server = async (tools: typeof other) => {
    while (!(await isOver())) await deliverEndpoint(tools, id)
  }
  await Promise.all([server(webhooks.tools), server(other)])
  const times = await begun()
  expect(times).toHaveLength(16)
  // An attempt may begin a little after its turn.
  expect(shortest(times, 5)).toBeGreaterThan(800)
}, 60_000)

it('a visit whose pace leaves work undone ends in time, and has rested meanwhile', async () => {
  const id = await waiting(30, 1)
  const told: boolean[] = []
  expect(await deliverEndpoint(webhooks.tools, id, (rests) => void told.push(rests))).toBe('more')
  expect(receiver.heard.length).toBeGreaterThan(1)
  expect(receiver.heard.length).toBeLessThan(10)
  expect(told[0]).toBe(true)
  expect(told.at(-1)).toBe(false)
  const [free] = await webhooks.query('SELECT lease_id FROM webhook_endpoints WHERE lease_id IS NULL')
  expect(free).toBeDefined()
}, 60_000)

it('a visit that waits for its turns rests from the first moment of each, however short it is', async () => {
  const id = await waiting(20, 20)
  const told: boolean[] = []
  expect(await deliverEndpoint(webhooks.tools, id, (rests) => void told.push(rests))).toBe('done')
  expect(receiver.heard).toHaveLength(20)
  // The first turn comes at once.
  expect(told.filter((rests) => rests).length).toBeGreaterThanOrEqual(19)
  expect(told.at(-1)).toBe(false)
}, 60_000)

it('an owner who sets another bound meanwhile, or none, does not wait for the former one', async () => {
  const id = await waiting(40, 1)
  const { userId, masterKey, store } = webhooks.ledger
  const visit = deliverEndpoint(webhooks.tools, id)
  await expect.poll(() => receiver.heard.length).toBeGreaterThan(0)
  await updateEndpoint({ em: store.em(), masterKey }, { id, userId }, { maxPerSecond: null })
  await visit
  expect(receiver.heard.length).toBeGreaterThan(20)
}, 60_000)

it('turns come one after the other, and end when nobody may go on', async () => {
  const pace = new Pace(100)
  const until = performance.now() + 60_000
  const began = performance.now()
  const turns = await Promise.all(Array.from({ length: 11 }, () => pace.turn(until, () => true)))
  expect(turns).toEqual(Array.from({ length: 11 }, () => true))
  expect(performance.now() - began).toBeGreaterThanOrEqual(99)
  expect(await pace.turn(began, () => true)).toBe(false)
  expect(await pace.turn(until, () => false)).toBe(false)
  const none = new Pace(null)
  expect(await none.turn(until, () => true)).toBe(true)
})
