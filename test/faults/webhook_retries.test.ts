// Receivers that fail while servers, connections and the switch come and go: whatever happens, what failed is tried
// again, once, by some server.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setFeatureFlag } from '../../server/domain/accounts/feature_flag.ts'
import { RETRY_QUEUE, sendRetries } from '../../server/jobs/retry_webhooks.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { temporaryFolder, undoAll } from '../store/embedded_support.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { QUIET, spawnServer } from '../support/server_process.ts'
import { sizeOf } from '../support/sizes.ts'
import { slowness } from '../support/slowness.ts'

const webhooks = { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert }

let app: TestApp
let receiver: Receiver
beforeEach(async () => {
  app = await openTestApp({ webhooks })
  receiver = await openReceiver()
  receiver.respond(500)
})
afterEach(async () => {
  await receiver.close()
  await app.close()
  await undoAll()
})

/** In one statement, because there may be thousands. */
const endpoints = async (count: number): Promise<void> => {
  await app.query(
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled)
     SELECT gen_random_uuid()::text, $1, $2 || n, 'item', '{item.created}', 'none', true
       FROM generate_series(1, $3::int) AS n`,
    [app.owner.userId, receiver.url('127.0.0.1', '/'), count],
  )
}

const submit = async (port: number): Promise<void> => {
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const json = { data: { items: [{ claims }] } }
  const answer = await ask(port, '/api/json/items/batch', { key: app.owner.key, body: { json } })
  expect(answer.status, answer.text).toBe(201)
}

const deliveries = async (condition: string): Promise<number> => {
  const [found] = await app.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_deliveries d WHERE ${condition}`,
  )
  return found?.count ?? 0
}

const until = (condition: string, count: number) =>
  eventually(async () => ((await deliveries(condition)) === count ? true : undefined), 120_000)

/** Is to be tried again soon, and no server can have begun. */
const WAITS = `attempts > 0 AND status = 'pending'
  AND next_attempt_at BETWEEN pharos_now() AND pharos_now() + interval '1 minute'`

const WITHOUT_JOB = `${WAITS} AND NOT EXISTS (
  SELECT FROM pgboss.job j WHERE j.singleton_key = d.endpoint_id AND j.state = 'created'
     AND j.start_after < now() + (d.next_attempt_at - pharos_now()) + interval '1 second')`

const waitingJobs = async (): Promise<number> => {
  const [found] = await app.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pgboss.job WHERE name = '${RETRY_QUEUE}'`,
  )
  return found?.count ?? 0
}

/**
 * The next attempt of all that waits, and the job for it, come after so long. What is being recorded in this moment is left
 * out, because rows locked in another order would be a deadlock.
 */
const nextIn = async (time: string): Promise<void> => {
  await app.query(
    `UPDATE webhook_deliveries SET next_attempt_at = pharos_now() + $1::interval
      WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = 'pending' FOR UPDATE SKIP LOCKED)`,
    [time],
  )
  await app.query(
    `UPDATE pgboss.job SET start_after = now() + $1::interval
      WHERE id IN (SELECT id FROM pgboss.job WHERE name = '${RETRY_QUEUE}' FOR UPDATE SKIP LOCKED)`,
    [time],
  )
}

const passTime = () => nextIn('0')

const MANY = sizeOf('failing_endpoints')

it(`${MANY} endpoints that fail have a job each, and three servers try all again, each once`, async () => {
  const others = [await openTestApp({ beside: app, webhooks }), await openTestApp({ beside: app, webhooks })]
  await endpoints(MANY)
  await submit(app.port)
  await until(`status = 'pending' AND attempts > 0`, MANY)
  await until(WITHOUT_JOB, 0)
  receiver.respond(200)
  await passTime()
  await eventually(async () => {
    // A busy machine fails some once more.
    if ((await deliveries(`status = 'pending' AND attempts > 1 AND next_attempt_at > pharos_now()`)) > 0)
      await passTime()
    return (await deliveries(`status = 'success' AND attempts > 1`)) === MANY ? true : undefined
  }, 240_000)
  await eventually(async () => ((await waitingJobs()) === 0 ? true : undefined))
  const heard = Map.groupBy(receiver.heard, ({ headers }) => headers['webhook-id'])
  const made = await app.query<{ message_id: string; attempts: number; answered: number }>(
    `SELECT message_id, attempts, (SELECT count(*)::int FROM jsonb_array_elements(attempt_log) AS entry
                                    WHERE entry->>'http_status' IS NOT NULL) AS answered
       FROM webhook_deliveries`,
  )
  expect(made).toHaveLength(MANY)
  for (const { message_id, attempts, answered } of made) {
    const times = heard.get(message_id)?.length
    // None is made that is not recorded. One without an answer, of a busy machine, may have failed before it was heard.
    expect(times).toBeGreaterThanOrEqual(answered)
    expect(times).toBeLessThanOrEqual(attempts)
  }
  for (const other of others) await other.close()
}, 1_200_000)

it('what is due later is sent within a second of its time', async () => {
  const count = 200
  await endpoints(count)
  receiver.respond(200)
  const waiting = await app.query<{ endpointId: string; due: Date; afterMs: number }>(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                     team_id, visibility, status, attempts, next_attempt_at, payload)
     SELECT 'delivery of ' || id, $1, id, 'item.created', 'item', 'item', 'message of ' || id, $1, $2, 'private', 'pending',
            0, pharos_now() + (1 + 3 * random()) * interval '1 second', '{}'
       FROM webhook_endpoints
     RETURNING endpoint_id AS "endpointId", next_attempt_at AS due,
               (extract(epoch FROM next_attempt_at - pharos_now()) * 1000)::float8 AS "afterMs"`,
    [app.owner.userId, app.owner.teamId],
  )
  await sendRetries(app.store.em(), waiting)
  await until(`status = 'success'`, count)
  const sent = await app.query<{ endpoint_id: string; at: Date }>(
    'SELECT endpoint_id, first_attempt_at AS at FROM webhook_deliveries',
  )
  const at = new Map(sent.map((one) => [one.endpoint_id, one.at.getTime()]))
  const late = waiting.map(({ endpointId, due }) => (at.get(endpointId) ?? Number.NaN) - due.getTime())
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  // All but the last of a hundred, because a machine that does something else may stop for a while.
  const [most = Number.NaN] = late.toSorted((one, other) => other - one).slice(count / 100)
  expect(most / slowness()).toBeLessThan(1_000)
}, 60_000)

const KILLS = sizeOf('kills_while_failing')

it('a server that is killed while attempts fail leaves none without its job, and the next one tries all again', async () => {
  await app.stop()
  const ca = join(await temporaryFolder(), 'ca.pem')
  await writeFile(ca, TEST_AUTHORITY.cert)
  const start = async () =>
    spawnServer({
      ...QUIET,
      DATABASE_URL: app.database.url,
      DATA_DIR: await temporaryFolder(),
      MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
      BLOCK_INTERVAL: '1h',
      WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: ca,
    })
  const count = 20
  await endpoints(count)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await start()
    const before = await deliveries('attempts > 0')
    await submit(Number(new URL(await server.ready).port))
    await eventually(async () =>
      (await deliveries('attempts > 0')) >= before + count / 2 ? true : undefined,
    )
    server.kill('SIGKILL')
    await server.ended
    expect(await deliveries(WITHOUT_JOB)).toBe(0)
    expect(await deliveries(WAITS)).toBeGreaterThan(0)
    // Nobody has them any more, so they need not be waited for.
    await app.query('UPDATE webhook_endpoints SET lease_id = NULL, leased_until = NULL')
    await nextIn('1 hour')
  }
  receiver.respond(200)
  const last = await start()
  await last.ready
  await passTime()
  await until(`status = 'success'`, KILLS * count)
  last.kill('SIGTERM')
  await last.ended
}, 300_000)

it('what is due while dispatch is off is sent when it is on again, first attempts and others', async () => {
  await endpoints(3)
  await submit(app.port)
  await until('attempts = 1', 3)
  await setFeatureFlag(app.store.em(), 'webhooks.dispatch', false)
  await switchesAreRead()
  // A job that nobody takes, although the server looks for jobs twice a second.
  await eventually(async () => {
    const [job] = await app.query<{ late: number }>(
      `SELECT extract(epoch FROM now() - start_after)::float8 AS late
         FROM pgboss.job WHERE name = '${RETRY_QUEUE}' AND singleton_key = 'nobody' AND state = 'created'`,
    )
    if (job === undefined) await sendRetries(app.store.em(), [{ endpointId: 'nobody', afterMs: 0 }])
    return (job?.late ?? 0) > 2 ? true : undefined
  })
  await passTime()
  const tried = receiver.heard.length
  await submit(app.port)
  await until(`status = 'pending'`, 6)
  receiver.respond(200)
  expect(receiver.heard).toHaveLength(tried)
  await setFeatureFlag(app.store.em(), 'webhooks.dispatch', true)
  await until(`status = 'success'`, 6)
  expect(receiver.heard).toHaveLength(tried + 6)
}, 120_000)

/**
 * Resolves when the server knows every switch as it is now. It reads them one time after the other, and a read that has to
 * wait for this lock began after the call. Once the next one waits, what the first one found is known.
 */
async function switchesAreRead(): Promise<void> {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  try {
    for (let read = 0; read < 2; read += 1) {
      await client.query('BEGIN')
      await client.query('LOCK TABLE feature_flags IN ACCESS EXCLUSIVE MODE')
      await eventually(async () => {
        const [waiting] = await app.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'feature_flags'::regclass`,
        )
        return waiting === undefined ? undefined : true
      })
      await client.query('ROLLBACK')
    }
  } finally {
    await client.end()
  }
}
