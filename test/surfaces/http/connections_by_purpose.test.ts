// Connections are kept by purpose: a flood of expensive reads leaves blocks, submissions, plain reads and health theirs.
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openExpensiveReads } from '../../../server/contract/expensive_reads.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { text } from '../../../server/store/columns.ts'
import { connectionsOf, LEAST_CONNECTIONS, PURPOSES, purposeNames } from '../../../server/store/purposes.ts'
import { statement } from '../../../server/store/statement.ts'
import { POOL_SIZE } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals } from '../jsonapi/documents.ts'

const app = testApp({ blockIntervalMs: 250 })

const get = (key: string, path: string): Promise<Answer> => ask(app.port, path, { key })

/** What waits for this lock takes as long as the most expensive query there is. `work` may unlock before it ends. */
async function whileDeliveriesAreLocked<T>(work: (unlock: () => Promise<void>) => Promise<T>): Promise<T> {
  const locker = new pg.Client({ connectionString: app.database.url })
  await locker.connect()
  await locker.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE')
  let unlocked: Promise<void> | undefined
  const unlock = (): Promise<void> => {
    unlocked ??= locker.end()
    return unlocked
  }
  try {
    return await work(unlock)
  } finally {
    await unlock()
  }
}

const EXPENSIVE = '/api/json/webhook-deliveries?filter[event_type][contains]=x&page[count]=true'

/** Twelve expensive reads in one document. */
const ALIASED = {
  query: `{ ${Array.from(
    { length: 12 },
    (_, index) => `a${index}: listWebhookDeliveries(filter: {eventType: {contains: "${index}"}}) { count }`,
  ).join(' ')} }`,
}

const aliased = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(ALIASED) }

const submission = {
  json: { data: { type: 'item', attributes: { claims: claimsOf('beside a flood') } } },
}

const height = async (): Promise<number> =>
  (await app.query<{ height: number }>('SELECT max(height)::int AS height FROM blocks'))[0]?.height ?? 0

/** Connections that wait for the lock. */
const waitForLock = async (): Promise<number | undefined> =>
  (
    await app.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'webhook_deliveries'::regclass`,
    )
  )[0]?.count

describe('a flood of expensive reads', () => {
  it('leaves blocks, submissions, plain reads, budgets and health their connections', async () => {
    const accounts = [app.owner, await app.account('mallory'), await app.account('oscar')]
    const { key } = await app.account('grace')
    const flood = await whileDeliveriesAreLocked(async (unlock) => {
      const before = await height()
      let over = false
      /** Asks again as soon as it is answered: a read that ran out of time leaves the flood as large as it was. */
      const again = async (read: () => Promise<Answer>): Promise<number[]> => {
        const statuses: number[] = []
        while (!over) statuses.push((await read()).status)
        return statuses
      }
      const flooding = accounts.flatMap((account) => [
        ...Array.from({ length: 6 }, () => again(() => get(account.key, EXPENSIVE))),
        again(() => ask(app.port, '/gql', { key: account.key, ...aliased })),
      ])
      const flooded = () => expect.poll(waitForLock).toBe(connectionsOf('expensive', POOL_SIZE))
      await flooded()
      const answers = await Promise.all([
        get(key, '/api/json/beacons/latest'),
        get(key, '/api/json/blocks?page[limit]=5'),
        get(key, '/api/json/users/me'),
        ask(app.port, '/health/ready'),
        ask(app.port, '/api/json/items', { key, body: submission }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
      await expect.poll(height).toBeGreaterThanOrEqual(before + 2)
      await flooded()
      over = true
      await unlock()
      return (await Promise.all(flooding)).flat()
    })
    // What waited too long for one of the few connections is refused, too.
    for (const status of flood) expect([200, 400, 503]).toContain(status)
  })

  it('of one caller takes two turns at once, lets eight wait, tells the eleventh at once, and leaves others a turn', async () => {
    const [flooding, other] = [await app.account('heidi'), await app.account('trent')]
    await whileDeliveriesAreLocked(async (unlock) => {
      const order: Answer[] = []
      const noted = async (answer: Promise<Answer>) => void order.push(await answer)
      const flood = Promise.all(Array.from({ length: 11 }, () => noted(get(flooding.key, EXPENSIVE))))
      await expect.poll(() => order.length).toBe(1)
      await noted(get(other.key, '/api/json/blocks?filter[height][gte]=0'))
      const [first, second] = order
      expect([first?.status, second?.status]).toEqual([503, 200])
      const told = z.object({ errors: z.tuple([z.object({ meta: z.object({ maximum: z.literal(10) }) })]) })
      expect(told.safeParse(first?.json()).success, first?.text).toBe(true)
      expect(Number(first?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      // Two have taken all their time by now. Waiting is not counted in it, so the others are answered.
      await expect.poll(() => order.length).toBeGreaterThanOrEqual(4)
      await unlock()
      await flood
      expect(
        order
          .slice(2)
          .map((answer) => answer.status)
          .toSorted(),
      ).toEqual(expect.arrayContaining(Array(6).fill(200)))
      for (const answer of order.slice(2))
        if (answer.status !== 200) expect(refusals(answer)).toEqual(['400 query_too_expensive'])
    })
  })
})

describe('a free connection for expensive reads', () => {
  it('goes to the caller who used least of the database in the last minute, not to whoever asked first', async () => {
    const em = () => app.store.em('expensive')
    const readsOf = openExpensiveReads({ em, connections: 1, ceilings: ceilings() })
    const order: string[] = []
    const read = async (caller: string, seconds: number): Promise<void> => {
      await readsOf(caller)((query) => query(SLEEP({ seconds })))
      order.push(caller)
    }
    await read('greedy', 0.5)
    const holding = read('holder', 0.3)
    await Promise.all([holding, read('greedy', 0), read('innocent', 0)])
    expect(order).toEqual(['greedy', 'holder', 'innocent', 'greedy'])
  })
})

describe('requests that wait for an expensive read with rows in memory', () => {
  it('are few in all: one more costs the caller one who has most, and never who has one', async () => {
    const em = () => app.store.em('expensive')
    const readsOf = openExpensiveReads({ em, connections: 1, ceilings: ceilings() })
    const asked = (caller: string, seconds: number) =>
      readsOf(caller)((query) => query(SLEEP({ seconds })), { holdsRows: true }).then(
        () => 'answered',
        () => 'refused',
      )
    const holder = asked('holder', 0.3)
    await new Promise((resolve) => setImmediate(resolve))
    const greedy = ['a', 'b', 'c', 'd'].flatMap((caller) => Array.from({ length: 3 }, () => asked(caller, 0)))
    const single = ['x', 'y', 'z'].map((caller) => asked(caller, 0))
    expect(await Promise.all([holder, ...single])).toEqual(Array(4).fill('answered'))
    const told = await Promise.all(greedy)
    expect(told.filter((word) => word === 'refused')).toHaveLength(3)
  })
})

const SLEEP = statement(
  { slept: text },
  ({ seconds }: { seconds: number }) => sql`SELECT 'yes' AS slept FROM pg_sleep(${seconds})`,
)

describe('the connections', () => {
  it('are shared out so that every purpose has one, and all of them together are not more than were set', () => {
    for (let total = LEAST_CONNECTIONS; total <= 200; total += 1) {
      const each = purposeNames.map((name) => connectionsOf(name, total))
      expect(Math.min(...each)).toBeGreaterThanOrEqual(1)
      expect(each.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(total)
    }
    expect(purposeNames.toSorted()).toEqual(Object.keys(PURPOSES).toSorted())
  })

  it('carry the ceilings of their purpose', async () => {
    for (const name of purposeNames) {
      const [session] = await app.store
        .em(name)
        .getConnection()
        .execute<{ statement: string; lock: string; idle: string }[]>(
          `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
                  current_setting('idle_in_transaction_session_timeout') AS idle`,
        )
      const { statementMs, lockMs, idleMs } = PURPOSES[name]
      expect([name, session]).toEqual([
        name,
        { statement: spelled(statementMs), lock: spelled(lockMs), idle: spelled(idleMs) },
      ])
    }
  })
})

/** As PostgreSQL shows a setting of milliseconds. */
const spelled = (ms: number): string => (ms === 0 ? '0' : ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`)
