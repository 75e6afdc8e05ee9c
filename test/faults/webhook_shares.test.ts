// Many endpoints of one account that hang, or that are bounded, delay neither its other endpoints nor those of another
// account.
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { sendRetries } from '../../server/jobs/retry_webhooks.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { openTestApp, type TestAccount, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { slowness } from '../support/slowness.ts'

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

/** More than the endpoints of one account that a server works at side by side. */
const PACED = 60

it('endpoints of an account that wait for their next turn leave their place to another one of it', async () => {
  const owner = await app.account('paced')
  // Each has more to send than one visit is long, and a turn is too short to be noticed as a silent receiver is.
  await app.query(
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled, max_per_second)
     SELECT 'paced ' || n, $1, $2 || n, 'item', '{item.deleted}', 'none', true, 11 FROM generate_series(1, $3::int) AS n`,
    [owner.userId, receiver.url('127.0.0.1', '/paced/'), PACED],
  )
  const free = await openReceiver()
  await endpoint(owner, free.url())
  await app.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, next_attempt_at, payload)
     SELECT e.id || ' ' || n, $1, e.id, 'item.deleted', 'item', 'item ' || n, e.id || ' ' || n, $1, $2, 'private',
            'pending', pharos_now(), '{}'
       FROM webhook_endpoints e, generate_series(1, 100) AS n WHERE e.max_per_second IS NOT NULL`,
    [owner.userId, owner.teamId],
  )
  const ids = Array.from({ length: PACED }, (_, n) => `paced ${n + 1}`)
  await sendRetries(
    app.store.em(),
    ids.map((endpointId) => ({ endpointId, afterMs: 0 })),
  )
  await holds(() => asked(receiver) >= 50)
  await submit(owner)
  await holds(() => free.heard.length === 2)
  await eventually(async () => ((await firstsOf(free)).length === 2 ? true : undefined))
  expect(Math.max(...(await firstsOf(free))) / slowness()).toBeLessThan(1_000)
  // They were still at it.
  expect((await attempts(owner.userId))?.pending).toBeGreaterThan(PACED)
  await free.close()
}, 240_000)

/** Milliseconds from each delivery to a receiver until its first attempt. */
const firstsOf = async ({ port }: Receiver): Promise<number[]> =>
  (
    await app.query<{ ms: number }>(
      `SELECT (extract(epoch FROM d.first_attempt_at - d.inserted_at) * 1000)::float8 AS ms
         FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE e.url LIKE $1 AND d.first_attempt_at IS NOT NULL`,
      [`%:${port}/%`],
    )
  ).map(({ ms }) => ms)
