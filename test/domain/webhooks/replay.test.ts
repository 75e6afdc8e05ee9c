// Sending a range again: everything that was made in it, whatever became of it, each message once and with its own bytes.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { MOST_REPLAYED, replay } from '../../../server/domain/webhooks/deliveries/replay.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

const START = new Date(Date.now() - 86_400_000)
/** So many milliseconds after the start. */
const at = (ms: number): Date => new Date(START.getTime() + ms)

/** An endpoint with so many deliveries that are over, one a millisecond, ten at the same time. */
async function endpointWith(count: number): Promise<string> {
  const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
  await webhooks.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, completed_at, inserted_at, payload)
     SELECT 'old ' || lpad(n::text, 6, '0'), $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || n, $2, 'team', 'private',
            (ARRAY['success', 'failed', 'cancelled'])[1 + n % 3], now(), $4::timestamptz + (n / 10) * interval '1 millisecond',
            'payload ' || n
       FROM generate_series(0, $3::int - 1) AS n`,
    [id, webhooks.ledger.userId, count, START],
  )
  return id
}

const replayed = (
  endpointId: string,
  from: Date,
  until: Date,
  { userId = webhooks.ledger.userId, events }: { userId?: string; events?: readonly string[] } = {},
) =>
  replay(
    { em: webhooks.ledger.store.em(), sendRetries, withinMs: 100_000 },
    { endpointId, userId, from, until, events },
  )

const pending = async (): Promise<string[]> =>
  (
    await webhooks.query<{ payload: string }>(
      `SELECT payload FROM webhook_deliveries WHERE status = 'pending' ORDER BY length(payload), payload`,
    )
  ).map(({ payload }) => payload)

it('takes both ends along and nothing beyond them, with the bytes and the ids of before', async () => {
  const id = await endpointWith(100)
  expect(await replayed(id, at(2), at(4))).toEqual({ count: 30, rest: undefined })
  expect(await pending()).toEqual(Array.from({ length: 30 }, (_, n) => `payload ${20 + n}`))
  const [kept] = await webhooks.query<{ same: number }>(
    `SELECT count(*)::int AS same FROM webhook_deliveries a JOIN webhook_deliveries b USING (message_id, payload, resource_id)
      WHERE a.status = 'pending' AND b.status <> 'pending'`,
  )
  expect(kept?.same).toBe(30)
})

it('leaves to its attempt what still waits, and sends a message that is there twice once', async () => {
  const id = await endpointWith(30)
  expect((await replayed(id, at(0), at(1))).count).toBe(20)
  expect(await replayed(id, at(0), at(2))).toEqual({ count: 10, rest: undefined })
  await webhooks.query(
    `UPDATE webhook_deliveries SET status = 'success', next_attempt_at = NULL, completed_at = now(), inserted_at = $1
      WHERE status = 'pending'`,
    [at(2)],
  )
  expect((await replayed(id, at(0), at(2))).count).toBe(30)
  expect(new Set(await pending()).size).toBe(30)
})

it('side by side sends each message once', async () => {
  const id = await endpointWith(4_500)
  const done = await Promise.all(Array.from({ length: 3 }, () => replayed(id, at(0), at(1_000))))
  expect(done.reduce((sum, { count }) => sum + count, 0)).toBe(4_500)
  expect(new Set(await pending()).size).toBe(4_500)
})

it('of some events leaves the others where they are', async () => {
  const id = await endpointWith(4_500)
  await webhooks.query(
    `UPDATE webhook_deliveries SET event_type = CASE WHEN id < 'old 001' THEN 'item.deleted' ELSE 'item.redacted' END
      WHERE id < 'old 000010' OR id > 'old 004489'`,
  )
  const some = { events: ['item.deleted', 'item.redacted'] }
  expect(await replayed(id, at(0), new Date(), some)).toEqual({ count: 20, rest: undefined })
  const numbers = [...Array(10).keys(), ...Array.from({ length: 10 }, (_, n) => 4_490 + n)]
  expect(await pending()).toEqual(numbers.map((n) => `payload ${n}`))
})

/** All that waits has come to this, as time goes on. */
const become = (status: 'success' | 'failed'): Promise<unknown> =>
  webhooks.query(
    `UPDATE webhook_deliveries SET status = $1, next_attempt_at = NULL, completed_at = pharos_now() WHERE status = 'pending'`,
    [status],
  )

it(`ends at ${MOST_REPLAYED}, and goes on with the rest alone, whatever got through meanwhile and however late the range ends`, async () => {
  // As the database may believe: it expects no rows.
  await webhooks.query('ANALYZE webhook_deliveries')
  const id = await endpointWith(MOST_REPLAYED + 500)
  const began = new Date()
  const { count, rest = expect.fail('no more') } = await replayed(id, at(0), new Date(Date.now() + 600_000))
  expect([count, rest.from]).toEqual([MOST_REPLAYED, at(MOST_REPLAYED / 10 - 1)])
  expect(rest.until.getTime()).toBeLessThanOrEqual(began.getTime() + 1_000)
  const first = await pending()
  await become('success')
  expect(await replayed(id, rest.from, rest.until)).toEqual({ count: 500, rest: undefined })
  expect(new Set([...first, ...(await pending())]).size).toBe(MOST_REPLAYED + 500)
})

it('that is repeated sends nothing again that got through since, and once more what failed', async () => {
  const id = await endpointWith(30)
  const again = async (until = at(2)) => (await replayed(id, at(0), until)).count
  expect(await again()).toBe(30)
  expect(await again()).toBe(0)
  await become('failed')
  expect(await again()).toBe(30)
  await become('success')
  expect(await again()).toBe(0)
  // What was sent again is in this range.
  expect(await again(new Date())).toBe(30)
})

it('is refused for somebody else’s endpoint', async () => {
  const id = await endpointWith(10)
  await expect(replayed(id, at(0), at(1), { userId: 'somebody else' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

it('reaches the receiver, and no sample is sent again', async () => {
  const receiver = await openReceiver()
  try {
    const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    const from = new Date(Date.now() - 600_000)
    await webhooks.ledger.submit({}, {})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    await webhooks.query(
      `UPDATE webhook_deliveries SET is_sample = true WHERE id = (SELECT max(id) FROM webhook_deliveries)`,
    )
    const until = new Date(Date.now() + 600_000)
    expect(await replayed(id, from, until)).toEqual({ count: 1, rest: undefined })
    await webhooks.deliverDue()
    const ids = receiver.heard.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([3, 2])
  } finally {
    await receiver.close()
  }
})
