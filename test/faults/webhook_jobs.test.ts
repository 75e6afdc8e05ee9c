// The whole service with receivers that hang and servers that stop: no delivery waits for another's receiver,
// and none is lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'

const webhooks = { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert }

let app: TestApp
let receiver: Receiver
// Each has a service of its own, because what hangs is recorded when a test is over.
beforeEach(async () => {
  app = await openTestApp({ webhooks })
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await app.close()
})

const endpoint = async (url: string): Promise<string> => {
  const wanted = { userId: app.owner.userId, url, resourceType: 'item', events: ['item.created'] } as const
  return (await createEndpoint({ em: app.store.em(), masterKey: app.masterKey }, wanted)).id
}

const submit = async (count: number): Promise<void> => {
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const items = Array.from({ length: count }, () => ({ claims }))
  const json = { data: { items } }
  const answer = await ask(app.port, '/api/json/items/batch', { key: app.owner.key, body: { json } })
  expect(answer.status, answer.text).toBe(201)
}

const counts = async (endpointId: string): Promise<Record<string, number>> => {
  const rows = await app.query<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY status',
    [endpointId],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

describe('a receiver that hangs', () => {
  it('keeps no other waiting, however many of them there are', async () => {
    const hanging = await openReceiver()
    hanging.respond(() => undefined)
    const slow = await Promise.all(
      Array.from({ length: 40 }, (_, n) => endpoint(hanging.url('127.0.0.1', `/${n}`))),
    )
    const quick = await endpoint(receiver.url())
    await submit(20)
    await eventually(async () => ((await counts(quick)).success === 20 ? true : undefined), 60_000)
    // The slow attempts have not ended by then; otherwise the whole time would be over.
    for (const id of slow) expect(await counts(id)).toEqual({ pending: 20 })
    await submit(20)
    await eventually(async () => ((await counts(quick)).success === 40 ? true : undefined), 60_000)
    await hanging.close()
  }, 150_000)
})

describe('a server that stops', () => {
  it('breaks off what hangs, counts it as never begun, and another server takes over', async () => {
    const other = await openTestApp({ beside: app, webhooks })
    receiver.respond(() => undefined)
    const id = await endpoint(receiver.url())
    await submit(3)
    await eventually(() => (receiver.heard.length >= 2 ? true : undefined))
    await other.close()
    await app.stop()
    receiver.respond(200)
    const waiting = await app.query<{ attempts: number; status: string }>(
      'SELECT attempts, status FROM webhook_deliveries WHERE endpoint_id = $1',
      [id],
    )
    expect(waiting).toEqual(Array.from({ length: 3 }, () => ({ attempts: 0, status: 'pending' })))
    const next = await openTestApp({ beside: app, webhooks })
    await eventually(async () => ((await counts(id)).success === 3 ? true : undefined), 60_000)
    await next.close()
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  }, 120_000)
})
