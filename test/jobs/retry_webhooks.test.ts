// Retries as jobs of the queue: one for each endpoint with something due later, sent with the record of what failed.
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setFeatureFlag } from '../../server/domain/accounts/feature_flag.ts'
import { redeliver } from '../../server/domain/webhooks/deliveries/redeliver.ts'
import { recover, replay } from '../../server/domain/webhooks/deliveries/replay.ts'
import { deliverEndpoint } from '../../server/domain/webhooks/sending/deliver_endpoint.ts'
import { outcomeRecorder } from '../../server/domain/webhooks/sending/record_outcomes.ts'
import { startQueue } from '../../server/jobs/queue.ts'
import { findingDue, RETRY_QUEUE, sendRetries, startRetrying } from '../../server/jobs/retry_webhooks.ts'
import { hold } from '../domain/ledger/until.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { rows } from '../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let queue: Awaited<ReturnType<typeof startQueue>>
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  queue = await startQueue({ url: webhooks.ledger.database.url, log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await queue.stop({ timeout: 0 })
  await webhooks.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
  receiver.respond(500)
})
afterEach(async () => {
  await receiver.close()
  await forgetWebhooks(webhooks)
  await webhooks.query('DELETE FROM pgboss.job')
})

const em = () => webhooks.ledger.store.em()

/** An endpoint with so many deliveries that are due. */
const waiting = async (count: number): Promise<string> => {
  const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
  await webhooks.ledger.submit(...Array.from({ length: count }, () => ({})))
  await webhooks.fanOutAll()
  return id
}

interface Job {
  readonly endpoint: string
  readonly state: string
  readonly waitMs: number
}

const jobs = () =>
  webhooks.query<Job>(
    `SELECT data->>'endpoint_id' AS endpoint, state::text, (extract(epoch FROM start_after - now()) * 1000)::float8 AS "waitMs"
       FROM pgboss.job WHERE name = '${RETRY_QUEUE}' ORDER BY start_after`,
  )

/** Milliseconds from the next attempt of the endpoint to its job. */
const lateMs = async (endpointId: string): Promise<number | undefined> => {
  const [found] = await webhooks.query<{ ms: number }>(
    `SELECT (extract(epoch FROM j.start_after - min(d.next_attempt_at)) * 1000)::float8 AS ms
       FROM pgboss.job j JOIN webhook_deliveries d ON d.endpoint_id = j.singleton_key AND d.status = 'pending'
      WHERE j.singleton_key = $1 AND j.state = 'created' GROUP BY j.start_after`,
    [endpointId],
  )
  return found?.ms
}

/** The next attempt of all that waits, and the job for it, come after so many seconds. */
const nextIn = async (seconds: number): Promise<void> => {
  await webhooks.query(
    `UPDATE webhook_deliveries SET next_attempt_at = pharos_now() + $1 * interval '1 second' WHERE status = 'pending'`,
    [seconds],
  )
  await webhooks.query(`UPDATE pgboss.job SET start_after = now() + $1 * interval '1 second'`, [seconds])
}

describe('a failed attempt', () => {
  it('has one job for its endpoint, due with the first of what failed, and not before', async () => {
    const id = await waiting(5)
    await webhooks.deliverDue()
    expect(await jobs()).toMatchObject([{ endpoint: id, state: 'created' }])
    expect(await lateMs(id)).toBeGreaterThanOrEqual(0)
    expect(await lateMs(id)).toBeLessThan(1_000)
  })

  it('is recorded with its job or not at all', async () => {
    const id = await waiting(1)
    const record = outcomeRecorder({ em, sendRetries: () => Promise.reject(new Error('No job today.')) })
    await expect(deliverEndpoint({ ...webhooks.tools, record }, id)).rejects.toThrow('No job today.')
    expect(receiver.heard).toHaveLength(1)
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }])
    expect(await jobs()).toEqual([])
  })

  it('moves a waiting job forward and never back', async () => {
    const id = await waiting(1)
    await webhooks.deliverDue()
    await nextIn(3_600)
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    expect(await lateMs(id)).toBeLessThan(1_000)
    const [before] = await jobs()
    expect(before?.waitMs).toBeLessThan(60_000)
    await sendRetries(em(), [{ endpointId: id, afterMs: 3_600_000 }])
    expect(await jobs()).toMatchObject([{ waitMs: expect.closeTo(before?.waitMs ?? 0, -4) }])
  })
})

describe('what is due later', () => {
  it('has a job when what was due before it got through', async () => {
    const id = await waiting(2)
    await webhooks.deliverDue()
    await webhooks.query('DELETE FROM pgboss.job')
    await webhooks.query(
      `UPDATE webhook_deliveries SET next_attempt_at = pharos_now() WHERE id = (SELECT min(id) FROM webhook_deliveries)`,
    )
    receiver.respond(200)
    expect(await deliverEndpoint(webhooks.tools, id)).toBe('done')
    expect((await webhooks.deliveries()).map(({ status }) => status).toSorted()).toEqual([
      'pending',
      'success',
    ])
    expect(await lateMs(id)).toBeLessThan(1_000)
  })

  it('of an endpoint that is changed just now has a job soon', async () => {
    const id = await waiting(1)
    const changing = await hold(em(), (tx) =>
      rows(tx, 'SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id]),
    )
    expect(await deliverEndpoint(webhooks.tools, id)).toBe('busy')
    await changing.rollBack()
    expect(receiver.heard).toEqual([])
    const [job] = await jobs()
    expect(job).toMatchObject({ endpoint: id, state: 'created' })
    expect(job?.waitMs).toBeLessThan(1_000)
  })
})

describe('what an owner wants sent again', () => {
  it('has a job that is due, whichever process was asked', async () => {
    const id = await waiting(2)
    await webhooks.deliverDue()
    const [one] = await webhooks.deliveries()
    const { userId } = webhooks.ledger
    await redeliver({ em: em(), sendRetries }, { id: one?.id ?? '', userId })
    expect((await jobs())[0]?.waitMs).toBeLessThanOrEqual(0)
    await webhooks.query('DELETE FROM pgboss.job')
    await webhooks.query(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, completed_at = pharos_now()`,
    )
    const since = new Date(Date.now() - 3_600_000)
    expect((await recover({ em: em(), sendRetries }, { endpointId: id, userId, since })).count).toBe(2)
    expect(await jobs()).toMatchObject([{ endpoint: id, state: 'created' }])
    expect((await jobs())[0]?.waitMs).toBeLessThanOrEqual(0)
  })

  it('has none where it waits to be read', async () => {
    const { id } = await webhooks.endpoint({ kind: 'pull', events: ['item.created'] })
    await webhooks.ledger.submit({}, {})
    await webhooks.fanOutAll()
    const { userId } = webhooks.ledger
    const [one] = await webhooks.deliveries()
    const parts = { em: em(), sendRetries }
    const again = () => redeliver(parts, { id: one?.id ?? '', userId })
    expect((await again()).id).toBe(one?.id)
    const since = new Date(Date.now() - 3_600_000)
    for (const send of [
      () => replay(parts, { endpointId: id, userId, from: since, until: new Date() }),
      () => recover(parts, { endpointId: id, userId, since }),
    ]) {
      await webhooks.query(`UPDATE webhook_deliveries SET status = 'cancelled', completed_at = pharos_now()`)
      expect((await send()).count).toBe(2)
    }
    await webhooks.query(`UPDATE webhook_deliveries SET status = 'success', completed_at = pharos_now()`)
    expect((await again()).id).not.toBe(one?.id)
    expect(await jobs()).toEqual([])
  })
})

describe('a job', () => {
  it('is as the queue itself would have sent it, and takes the place of that', async () => {
    const columns = async () => {
      const [one] = await webhooks.query<object>(
        `SELECT to_jsonb(j) - ARRAY['id', 'start_after', 'created_on', 'keep_until']
                || jsonb_build_object('kept', keep_until - start_after) AS job FROM pgboss.job j`,
      )
      await webhooks.query('DELETE FROM pgboss.job')
      return one
    }
    const options = { singletonKey: 'an endpoint', startAfter: 60 }
    expect(await queue.send(RETRY_QUEUE, { endpoint_id: 'an endpoint' }, options)).not.toBeNull()
    const theirs = await columns()
    await sendRetries(em(), [{ endpointId: 'an endpoint', afterMs: 60_000 }])
    expect(await queue.send(RETRY_QUEUE, { endpoint_id: 'an endpoint' }, options)).toBeNull()
    expect(await columns()).toEqual(theirs)
  })

  it('is taken once, on whichever server comes first, and is gone then', async () => {
    const ids = Array.from({ length: 1_200 }, (_, n) => `endpoint ${n}`)
    await sendRetries(
      em(),
      ids.map((endpointId) => ({ endpointId, afterMs: 0 })),
    )
    await sendRetries(em(), [{ endpointId: 'later', afterMs: 3_600_000 }])
    const other = await startQueue({ url: webhooks.ledger.database.url, log: pino({ level: 'silent' }) })
    const taken: string[] = []
    const errors: unknown[] = []
    const parts = {
      dispatch: { isOn: () => true },
      order: async (some: readonly string[]) => void taken.push(...some),
      onError: (error: unknown) => void errors.push(error),
    }
    const workers = [startRetrying(queue, parts), startRetrying(other, parts)]
    await expect.poll(() => taken.length).toBe(ids.length)
    await Promise.all(workers.map(({ stop }) => stop()))
    await other.stop({ timeout: 0 })
    expect(taken.toSorted()).toEqual(ids.toSorted())
    expect(await jobs()).toMatchObject([{ endpoint: 'later' }])
    expect(errors).toEqual([])
  })

  it('waits while dispatch is off', async () => {
    await sendRetries(em(), [{ endpointId: 'an endpoint', afterMs: 0 }])
    let looks = 0
    let on = false
    const taken: string[] = []
    const retrying = startRetrying(queue, {
      dispatch: {
        isOn: () => {
          looks += 1
          return on
        },
      },
      order: async (some) => void taken.push(...some),
      onError: () => undefined,
    })
    await expect.poll(() => looks).toBeGreaterThan(2)
    expect([taken, (await jobs()).length]).toEqual([[], 1])
    on = true
    await expect.poll(() => taken).toEqual(['an endpoint'])
    await retrying.stop()
  })
})

describe('what is due without a job', () => {
  const all = async (lateSeconds?: number): Promise<number[]> => {
    const find = findingDue(lateSeconds)
    const pieces: number[] = []
    do pieces.push(await find(em(), 2))
    while (pieces.at(-1) === 2)
    return pieces
  }

  it('is found piece by piece, unless a worker is at it or it is not late yet, and never while dispatch is off', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1)
      ids.push((await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })).id)
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    const [leased = '', ...free] = ids
    await webhooks.query(
      `UPDATE webhook_endpoints SET lease_id = 'a worker', leased_until = pharos_now() + interval '20 seconds'
        WHERE id = $1`,
      [leased],
    )
    await setFeatureFlag(em(), 'webhooks.dispatch', false)
    expect(await all()).toEqual([0])
    await setFeatureFlag(em(), 'webhooks.dispatch', true)
    expect(await all(60)).toEqual([0])
    expect(await jobs()).toEqual([])
    expect(await all()).toEqual([2, 2, 0])
    expect((await jobs()).map(({ endpoint }) => endpoint).toSorted()).toEqual(free.toSorted())
  })

  it('moves forward a job that comes too late, as after the clock was set back', async () => {
    const id = await waiting(1)
    await sendRetries(em(), [{ endpointId: id, afterMs: 3_600_000 }])
    expect(await all()).toEqual([1])
    expect((await jobs())[0]?.waitMs).toBeLessThanOrEqual(0)
  })
})
