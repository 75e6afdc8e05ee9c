// Many hanging endpoints of one account delay neither its other endpoints nor those of another account.
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { openTestApp, type TestAccount, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'

let app: TestApp
let hanging: Receiver
let receiver: Receiver
/** Answers that nobody has sent yet. */
let held: ServerResponse[]
beforeEach(async () => {
  app = await openTestApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
  hanging = await openReceiver()
  held = []
  hanging.respond((response) => void held.push(response))
  receiver = await openReceiver()
})
afterEach(async () => {
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

const MANY = 120

const asked = ({ heard }: Receiver): number => new Set(heard.map(({ path }) => path)).size

const holds = (condition: () => boolean) => eventually(() => (condition() ? true : undefined), 60_000)

it('deliveries of an account, and of another, go out while many of its endpoints hang for the first time', async () => {
  const hog = await app.account('hog')
  const other = await app.account('other')
  await Promise.all(Array.from({ length: MANY }, (_, n) => endpoint(hog, hanging.url('127.0.0.1', `/${n}`))))
  await endpoint(hog, receiver.url('127.0.0.1', '/own'))
  await endpoint(other, receiver.url('127.0.0.1', '/other'))
  await submit(hog)
  await holds(() => receiver.heard.length === 2)
  await submit(other)
  await holds(() => receiver.heard.length === 4)
  await holds(() => asked(hanging) === MANY)
  // No hanging attempt has ended by then, so nobody waited for one.
  await eventually(async () => ((await attempts(hog.userId))?.pending === 2 * MANY ? true : undefined))
  expect(await attempts(hog.userId)).toEqual({ pending: 2 * MANY, tried: 2 })
}, 240_000)

it('endpoints that have hung hold no more than their share, until they answer, and another of their account waits for none of them', async () => {
  const hog = await app.account('hog')
  await Promise.all(Array.from({ length: MANY }, (_, n) => endpoint(hog, hanging.url('127.0.0.1', `/${n}`))))
  await app.query('UPDATE webhook_endpoints SET last_duration_ms = 15000')
  await endpoint(hog, receiver.url())
  await submit(hog)
  await holds(() => receiver.heard.length === 2)
  await holds(() => asked(hanging) === 60)
  expect(await attempts(hog.userId)).toEqual({ pending: 2 * MANY, tried: 2 })
  expect(asked(hanging)).toBe(60)
  // Each that answers makes room for the next, and is slow no more.
  hanging.respond(200)
  for (const response of held) response.writeHead(200).end()
  await holds(() => asked(hanging) === MANY)
  await eventually(async () => ((await attempts(hog.userId))?.pending === 0 ? true : undefined))
  const [row] = await app.query<{ slow: number }>(
    'SELECT count(*)::int AS slow FROM webhook_endpoints WHERE last_duration_ms >= 1000',
  )
  expect(row?.slow).toBeLessThan(MANY)
}, 240_000)
