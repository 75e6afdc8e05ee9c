// Workers die, run at the same time, or lose their database in the middle: no delivery is lost, and every
// series ends once.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { updateEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { deleteEndpoint } from '../../server/domain/webhooks/endpoints/endpoint.ts'
import { attemptsUnderWay } from '../../server/domain/webhooks/sending/attempts_under_way.ts'
import { deliverEndpoint } from '../../server/domain/webhooks/sending/deliver_endpoint.ts'
import { dueEndpoints } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { deliveryTools, openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await forgetWebhooks(webhooks)
})

const waiting = async (count: number, events = ['item.created'] as const) => {
  const endpoint = await webhooks.endpoint({ url: receiver.url(), events })
  await webhooks.ledger.submit(...Array.from({ length: count }, () => ({ visibility: 'team' as const })))
  await webhooks.fanOutAll()
  return endpoint
}

const statuses = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of await webhooks.deliveries()) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('a worker', () => {
  it('that dies between the request and its record is replaced when its lease is over, and the series ends once', async () => {
    const { id } = await waiting(1)
    let dead: (() => Promise<void>) | undefined
    const dying = deliverEndpoint(
      {
        ...webhooks.tools,
        record: (outcome) =>
          new Promise((resolve) => {
            dead = async () => resolve(await webhooks.tools.record(outcome))
          }),
      },
      id,
    )
    await expect.poll(() => dead).toBeDefined()
    expect(await deliverEndpoint(webhooks.tools, id)).toBe('busy')
    expect(await dueEndpoints(webhooks.ledger.store.em(), { limit: 10 })).toEqual([])
    const later = await webhooks.ledger.openSkewed('40 seconds')
    const other = deliveryTools(later, webhooks.ledger.masterKey, {})
    expect(await dueEndpoints(later.em(), { limit: 10 })).toEqual([id])
    receiver.respond(204)
    expect(await deliverEndpoint(other, id)).toBe('done')
    await dead?.()
    await dying
    expect(receiver.heard).toHaveLength(2)
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'success', attempts: 1, httpStatus: 204 }])
  })

  it('that dies leaves at most nine requests of a connection out of the history, and they come again under their ids', async () => {
    const { id } = await waiting(30)
    const dead: (() => Promise<void>)[] = []
    // No answer is slow while the clock stands, so there is one connection, which waits for no record before the ninth.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const dying = deliverEndpoint(
      {
        ...webhooks.tools,
        record: (outcome) =>
          new Promise((resolve) => {
            dead.push(async () => resolve(await webhooks.tools.record(outcome)))
          }),
      },
      id,
    )
    try {
      await expect.poll(() => dead.length).toBe(9)
    } finally {
      clock.mockRestore()
    }
    const later = await webhooks.ledger.openSkewed('40 seconds')
    expect(await deliverEndpoint(deliveryTools(later, webhooks.ledger.masterKey, {}), id)).toBe('done')
    expect(await statuses()).toEqual({ success: 30 })
    expect(receiver.heard).toHaveLength(39)
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
    for (const { attempts, attemptLog } of await webhooks.deliveries())
      expect([attempts, attemptLog]).toEqual([1, [expect.objectContaining({ number: 1 })]])
    while (dead.length > 0) await dead.shift()?.()
    await dying
  })

  it('is alone with an endpoint, however many come', async () => {
    const { id } = await waiting(60)
    const worked = await Promise.all(Array.from({ length: 6 }, () => deliverEndpoint(webhooks.tools, id)))
    expect(worked.toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'done'])
    expect(receiver.heard).toHaveLength(60)
    expect(receiver.connections()).toBeLessThanOrEqual(10)
    expect(await statuses()).toEqual({ success: 60 })
  })

  it('begins nothing more once dispatch is switched off', async () => {
    const { id } = await waiting(40)
    let on = true
    receiver.respond((response) => {
      on = false
      response.writeHead(200).end()
    })
    const dispatch = { isOn: () => on }
    expect(await deliverEndpoint({ ...webhooks.tools, dispatch }, id)).toBe('more')
    const { success = 0, pending = 0 } = await statuses()
    expect(success).toBeLessThanOrEqual(10)
    expect(success + pending).toBe(40)
    expect(await deliverEndpoint(webhooks.tools, id)).toBe('done')
    expect(await statuses()).toEqual({ success: 40 })
  })

  it('that is interrupted leaves what it had begun as if it had not', async () => {
    const { id } = await waiting(3)
    receiver.respond(() => undefined)
    const interrupting = new AbortController()
    const dispatch = { isOn: () => !interrupting.signal.aborted }
    const underWay = attemptsUnderWay(interrupting.signal)
    const worked = deliverEndpoint({ ...webhooks.tools, dispatch, underWay }, id)
    await expect.poll(() => receiver.heard.length).toBe(2)
    interrupting.abort()
    expect(await worked).toBe('more')
    expect(await webhooks.deliveries()).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'pending', attempts: 0, attemptLog: [] })),
    )
    receiver.respond(200)
    expect(await deliverEndpoint(webhooks.tools, id)).toBe('done')
    expect(await statuses()).toEqual({ success: 3 })
  })
})

describe('while deliveries wait', () => {
  const owner = () => ({ userId: webhooks.ledger.userId })
  const keeper = () => ({ em: webhooks.ledger.store.em(), masterKey: webhooks.ledger.masterKey })

  it('an endpoint that is deleted cancels them, and what was kept back by a lock is cancelled later', async () => {
    const { id } = await waiting(5)
    await deleteEndpoint(keeper().em, { id, ...owner() })
    expect(await statuses()).toEqual({ cancelled: 5 })
    await webhooks.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() + interval '1 hour', completed_at = NULL`,
    )
    expect(await webhooks.deliverDue()).toEqual(['done'])
    expect(await webhooks.deliveries()).toMatchObject(
      Array.from({ length: 5 }, () => ({
        status: 'cancelled',
        error: 'the endpoint was deleted',
        attempts: 0,
      })),
    )
    expect(receiver.heard).toEqual([])
  })

  it('an endpoint that is disabled cancels those that come due', async () => {
    const { id } = await waiting(5)
    await webhooks.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour'
        WHERE id IN (SELECT id FROM webhook_deliveries LIMIT 2)`,
    )
    await updateEndpoint(keeper(), { id, ...owner() }, { enabled: false })
    await webhooks.deliverDue()
    expect(await statuses()).toEqual({ cancelled: 3, pending: 2 })
    await updateEndpoint(keeper(), { id, ...owner() }, { enabled: true })
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect(await statuses()).toEqual({ cancelled: 3, success: 2 })
  })

  it('an endpoint that moves gets them at its new address, with its new secret', async () => {
    const { id } = await waiting(2)
    const next = await openReceiver()
    await updateEndpoint(
      keeper(),
      { id, ...owner() },
      { url: next.url(), authType: 'bearer', authSecret: 'opensesame' },
    )
    await webhooks.deliverDue()
    expect(next.heard.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer opensesame',
      'Bearer opensesame',
    ])
    expect(receiver.heard).toEqual([])
    await next.close()
  })

  it('an owner who leaves the team gets no more of its items', async () => {
    const { ledger } = webhooks
    const grace = await createAccount(ledger.store.em(), {
      email: 'grace@example.com',
      firstName: 'Grace',
      plan: 'enterprise',
    })
    await webhooks.query(
      `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'member')`,
      [newUuid7(), ledger.teamId, grace.userId],
    )
    await webhooks.endpoint({
      url: receiver.url(),
      events: ['item.created'],
      userId: grace.userId,
      teamFilterId: ledger.teamId,
    })
    await ledger.submit({ visibility: 'team' }, { visibility: 'public' }, { creatorId: grace.userId })
    expect(await webhooks.fanOutAll()).toBe(3)
    await webhooks.query('DELETE FROM memberships WHERE user_id = $1 AND team_id = $2', [
      grace.userId,
      ledger.teamId,
    ])
    await webhooks.deliverDue()
    const told = (await webhooks.deliveries()).map(({ status, error }) => [status, error])
    expect(told.toSorted()).toEqual([
      ['cancelled', 'the owner of the endpoint may no longer read this item'],
      ['success', null],
      ['success', null],
    ])
    expect(receiver.heard).toHaveLength(2)
  })
})

describe('series that fail', () => {
  /** Ends this many series, one after the other, as their last attempts would. */
  const end = async (endpointId: string, count: number, httpStatus: number) => {
    receiver.respond(httpStatus)
    for (let n = 0; n < count; n += 1) {
      await webhooks.ledger.submit({})
      await webhooks.fanOutAll()
      await webhooks.query(`UPDATE webhook_deliveries SET attempts = 11 WHERE status = 'pending'`)
      await webhooks.deliverDue()
    }
    const [row] = await webhooks.query<{
      consecutive_failures: number
      enabled: boolean
      disabled_reason: string | null
    }>('SELECT consecutive_failures, enabled, disabled_reason FROM webhook_endpoints WHERE id = $1', [
      endpointId,
    ])
    return row
  }
  const age = (days: number) =>
    webhooks.query(`UPDATE webhook_endpoints SET failing_since = failing_since - $1 * interval '1 day'`, [
      days,
    ])

  it('disable the endpoint when there are 20 in a row over at least three days', async () => {
    const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    expect(await end(id, 25, 500)).toEqual({ consecutive_failures: 25, enabled: true, disabled_reason: null })
    await age(4)
    expect(await end(id, 1, 500)).toEqual({
      consecutive_failures: 26,
      enabled: false,
      disabled_reason: 'failing',
    })
    const { status } = (await webhooks.deliveries()).at(-1) ?? {}
    expect(status).toBe('failed')
  })

  it('count when they have ended, not while they are tried again', async () => {
    const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    receiver.respond(500)
    await webhooks.ledger.submit(...Array.from({ length: 30 }, () => ({})))
    await webhooks.fanOutAll()
    const standing = () =>
      webhooks.query(
        `SELECT consecutive_failures, failing_since, enabled, last_failure_at IS NOT NULL AS has_failed
           FROM webhook_endpoints WHERE id = $1`,
        [id],
      )
    const untouched = { consecutive_failures: 0, failing_since: null, enabled: true, has_failed: true }
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await webhooks.passTime()
      await webhooks.deliverDue()
      expect(await standing()).toEqual([untouched])
    }
    expect(await statuses()).toEqual({ pending: 30 })
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect(await statuses()).toEqual({ failed: 30 })
    // Failures at one moment do not extend over three days, so the endpoint stays enabled.
    expect(await standing()).toMatchObject([{ consecutive_failures: 30, enabled: true }])
  })

  it('do not, when one of them got through, or there are fewer', async () => {
    const { id } = await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    await end(id, 15, 500)
    await age(4)
    expect(await end(id, 4, 500)).toEqual({ consecutive_failures: 19, enabled: true, disabled_reason: null })
    expect(await end(id, 1, 200)).toEqual({ consecutive_failures: 0, enabled: true, disabled_reason: null })
    expect(await end(id, 20, 500)).toEqual({ consecutive_failures: 20, enabled: true, disabled_reason: null })
    expect(await end(id, 1, 404)).toEqual({ consecutive_failures: 20, enabled: true, disabled_reason: null })
  })
})

it('connections that are killed under thousands of deliveries lose none of them', async () => {
  const endpoints = 8
  const items = 250
  const receivers = await Promise.all(Array.from({ length: endpoints }, () => openReceiver()))
  for (const one of receivers) await webhooks.endpoint({ url: one.url(), events: ['item.created'] })
  await webhooks.ledger.submit(...Array.from({ length: items }, () => ({})))
  const own = new URL(webhooks.ledger.database.url).pathname.slice(1)
  let killed = 0
  let over = false
  const killing = (async () => {
    while (!over) {
      const { rowCount } = await webhooks.ledger.database.maintain(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND random() < 0.4`,
        [own],
      )
      killed += rowCount ?? 0
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
  })()
  const faults: unknown[] = []
  const tries = async (work: () => Promise<unknown>) => work().catch((error: unknown) => faults.push(error))
  const deliverDue = async () => {
    const due = await dueEndpoints(webhooks.ledger.store.em(), { limit: endpoints })
    await Promise.all(due.map((id) => tries(() => deliverEndpoint(webhooks.tools, id))))
    // All workers have ended, so the leases that killed ones left behind need not be waited for.
    await webhooks.query('UPDATE webhook_endpoints SET leased_until = pharos_now()')
  }
  const delivered = async () => {
    await tries(webhooks.fanOutAll)
    await tries(deliverDue)
    if (killed >= 40) over = true
    if (!over) return undefined
    const [row] = await webhooks
      .query<{ count: number }>(`SELECT count(*)::int FROM webhook_deliveries WHERE status = 'success'`)
      .catch(() => [])
    return row?.count
  }
  try {
    await expect.poll(delivered, { timeout: 150_000 }).toBe(endpoints * items)
  } finally {
    over = true
    await killing
  }
  expect(faults).not.toEqual([])
  for (const one of receivers) {
    expect(new Set(one.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(items)
    await one.close()
  }
}, 180_000)
