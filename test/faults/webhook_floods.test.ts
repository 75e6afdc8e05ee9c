// Receivers that never stop sending: in every form an attempt costs little, and the endpoint is then left
// alone for a while.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebhookDelivery } from '../../server/domain/webhooks/deliveries/delivery.ts'
import { dueEndpoints } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { REST_SECONDS } from '../../server/outgoing/receiver_bounds.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { TEST_AUTHORITY } from '../support/receiver.ts'
import { slowness } from '../support/slowness.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'
import type { FloodName } from './floods.ts'

let webhooks: TestWebhooks
let worker: Worker
let port = 0
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  worker = new Worker(new URL('./flooding_receiver.ts', import.meta.url), {
    workerData: TEST_AUTHORITY.issue(['127.0.0.1']),
  })
  ;[port] = (await once(worker, 'message')) as [number]
})
afterAll(async () => {
  await worker.terminate()
  await webhooks.close()
})

/**
 * Milliseconds of this thread's CPU time for an attempt. Measured: 2 to 13. Reading such an answer without a
 * limit costs 15,000.
 */
const MOST_CPU_MS = 500
const ITEMS = 12

const success = { status: 'success', httpStatus: 200, error: null } as const
const pending = (error: unknown): Partial<WebhookDelivery> =>
  ({ status: 'pending', httpStatus: null, error }) as Partial<WebhookDelivery>
const HINTS = pending('the receiver sent more than 10 interim answers')
const BYTES = pending('the receiver sent more than 81920 bytes')
const HEADERS = pending('the answer has too large headers')
/** Either message is correct, because the network decides how bytes are grouped. */
const PIECES = pending(
  expect.stringMatching(/^the answer (came in more than 1000 pieces|has too large headers)$/),
)

const ENDS: readonly (readonly [FloodName, Partial<WebhookDelivery>])[] = [
  ['early hints', HINTS],
  ['short continues', HINTS],
  ['early hints full of links', BYTES],
  ['empty lines first', BYTES],
  ['a reason', HEADERS],
  ['header fields', HEADERS],
  ['a header field byte by byte', PIECES],
  ['a body', success],
  ['a body byte by byte', success],
  ['chunks of a byte', success],
  ['chunk extensions', success],
  ['trailers', success],
  ['answers after the answer', success],
  ['noise', pending('the answer is no HTTP')],
]

it.each(ENDS)('a receiver that sends %s without end costs little', async (name, ends) => {
  await webhooks.endpoint({
    url: `https://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    events: ['item.created'],
  })
  await webhooks.ledger.submit(...Array.from({ length: ITEMS }, () => ({})))
  await webhooks.fanOutAll()
  const before = process.threadCpuUsage()
  await webhooks.deliverDue()
  const { user, system } = process.threadCpuUsage(before)
  const tried = (await webhooks.deliveries()).filter(({ attempts }) => attempts > 0)
  const due = await dueEndpoints(webhooks.ledger.store.em(), { limit: 10 })
  const later = await webhooks.ledger.openSkewed(`${REST_SECONDS + 1} seconds`)
  const dueLater = await dueEndpoints(later.em(), { limit: 10 })
  await forgetWebhooks(webhooks)
  expect(tried.length).toBeGreaterThan(0)
  for (const delivery of tried) expect(delivery).toMatchObject({ attempts: 1, ...ends })
  expect((user + system) / 1_000 / tried.length / slowness()).toBeLessThan(MOST_CPU_MS)
  // An endpoint that exceeds the bounds is left alone for a while, together with its other waiting
  // deliveries.
  if (ends !== HINTS && ends !== BYTES) return
  expect(tried.length).toBeLessThanOrEqual(2)
  expect(due).toEqual([])
  expect(dueLater).toHaveLength(1)
})
