// The clock went ahead an hour, deliveries were made and tried by it, and it came back: nobody waits for the hour to pass.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fanOut } from '../../../server/domain/webhooks/fan_out/fan_out.ts'
import { dueEndpoints } from '../../../server/domain/webhooks/sending/due_deliveries.ts'
import {
  LEASE_SECONDS,
  leaseEndpoints,
  releaseEndpoints,
} from '../../../server/domain/webhooks/sending/lease.ts'
import { outcomeRecorder } from '../../../server/domain/webhooks/sending/record_outcomes.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let ahead: Store
beforeEach(async () => {
  webhooks = await openTestWebhooks({ resolve: async () => ['127.0.0.1'] })
  receiver = await openReceiver()
  ahead = await webhooks.ledger.openSkewed('1 hour')
})
afterEach(async () => {
  await receiver.close()
  await webhooks.close()
})

const HOUR = 3_600
const em = () => webhooks.ledger.store.em()
const pending = async () => (await webhooks.deliveries()).filter(({ status }) => status === 'pending')
/** Seconds that each is still to wait. */
const waits = async () =>
  (
    await webhooks.query<{ wait: number }>(
      `SELECT extract(epoch FROM next_attempt_at - pharos_now())::float8 AS wait FROM webhook_deliveries
        WHERE status = 'pending' ORDER BY next_attempt_at`,
    )
  ).map(({ wait }) => wait)

it('what was made under the clock ahead is sent at once, and only once, also behind what waits honestly', async () => {
  const endpoint = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  // A retry of today, half an hour off, hides what stands after it.
  await webhooks.query(`UPDATE webhook_deliveries SET next_attempt_at = pharos_now() + interval '30 minutes'`)
  await webhooks.ledger.submit({})
  expect((await fanOut(ahead.em())).made).toBe(1)
  expect(await webhooks.deliverDue()).toEqual(['done'])
  expect(receiver.heard).toHaveLength(1)
  const [still, ...none] = await pending()
  expect(none).toEqual([])
  expect(still?.endpointId).toBe(endpoint.id)
  const [wait] = await waits()
  expect(wait).toBeGreaterThan(1_000)
})

it('what was tried under it is tried again after the wait that it was to have', async () => {
  await receiver.close()
  await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  expect((await fanOut(ahead.em())).made).toBe(1)
  await webhooks.deliverDue({ em: ahead.em, record: outcomeRecorder({ em: ahead.em, sendRetries }) })
  const [tried] = await pending()
  expect(tried?.attempts).toBe(1)
  await dueEndpoints(em(), { limit: 10 })
  const [wait] = await waits()
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThan(60)
})

it('a lease that a server took under it, and died with, holds nobody up', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const lease = async (on: typeof ahead, leaseId: string) =>
    (await leaseEndpoints(on.em(), [{ endpointId: id, leaseId }])).get(leaseId)
  expect(await lease(ahead, 'died')).toMatchObject({ id })
  expect(await dueEndpoints(em(), { limit: 10 })).toEqual([id])
  expect(await lease(webhooks.ledger.store, 'lives')).toMatchObject({ id })
  // One that is just as long as a lease is is somebody's.
  expect(await lease(webhooks.ledger.store, 'third')).toBe('busy')
  expect(await dueEndpoints(em(), { limit: 10 })).toEqual([])
  expect(2 * LEASE_SECONDS).toBeLessThan(HOUR)
})

it('a rest after a flood under it ends with it', async () => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const one = { endpointId: id, leaseId: 'one' }
  await leaseEndpoints(ahead.em(), [one])
  await releaseEndpoints(ahead.em(), [{ ...one, restSeconds: 5 }])
  expect(await dueEndpoints(em(), { limit: 10 })).toEqual([id])
})
