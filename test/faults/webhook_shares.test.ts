// Many hanging endpoints of one account do not delay the deliveries of another account.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEndpoint } from '../../server/domain/webhooks/change_endpoint.ts'
import { addressRanges } from '../../server/kernel/address_ranges.ts'
import { openTestApp, type TestAccount, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'

let app: TestApp
let hanging: Receiver
let receiver: Receiver
/** Answers that nobody has sent yet. */
const held: ServerResponse[] = []
beforeAll(async () => {
  app = await openTestApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
  hanging = await openReceiver()
  hanging.respond((response) => void held.push(response))
  receiver = await openReceiver()
})
afterAll(async () => {
  await app.close()
  await hanging.close()
  await receiver.close()
})

const endpoint = async ({ userId }: TestAccount, url: string): Promise<string> => {
  const wanted = { userId, url, resourceType: 'item', events: ['item.created'] } as const
  return (await createEndpoint({ em: app.store.em(), masterKey: app.masterKey }, wanted)).id
}

const submit = async ({ key }: TestAccount): Promise<void> => {
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const json = { data: { items: [{ claims }, { claims }] } }
  const answer = await ask(app.port, '/api/json/items/batch', { key, body: { json } })
  expect(answer.status, answer.text).toBe(201)
}

const attempts = async (userId: string) => {
  const [row] = await app.query<{ pending: number; tried: number }>(
    `SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending, sum(attempts)::int AS tried
       FROM webhook_deliveries WHERE user_id = $1`,
    [userId],
  )
  return row
}

const MANY = 260

it('deliveries of one account go out while hundreds of endpoints of another hang, and those hold no more than their share', async () => {
  const hog = await app.account('hog')
  const other = await app.account('other')
  await Promise.all(Array.from({ length: MANY }, (_, n) => endpoint(hog, hanging.url('127.0.0.1', `/${n}`))))
  await endpoint(other, receiver.url())
  await submit(hog)
  await eventually(() => (hanging.heard.length >= 50 ? true : undefined), 60_000)
  await submit(other)
  await eventually(() => (receiver.heard.length === 2 ? true : undefined), 60_000)
  // The hanging attempts have not ended by then, so nobody waited for them.
  expect(await attempts(hog.userId)).toEqual({ pending: 2 * MANY, tried: 0 })
  const asked = new Set(hanging.heard.map(({ path }) => path))
  // A lane belongs to an endpoint, so an endpoint with two deliveries may have requested both.
  expect(asked.size).toBeGreaterThan(25)
  expect(asked.size).toBeLessThanOrEqual(50)
  // Waiting deliveries get a lane when the hanging attempts end.
  hanging.respond(200)
  for (const response of held) response.writeHead(200).end()
  await eventually(() => {
    const paths = new Set(hanging.heard.map(({ path }) => path))
    return paths.size === MANY ? true : undefined
  }, 120_000)
}, 240_000)
