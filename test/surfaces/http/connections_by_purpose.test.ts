// Connections are kept by purpose: a flood of expensive reads leaves blocks, submissions, plain reads and health theirs.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectionsOf, LEAST_CONNECTIONS, PURPOSES, purposeNames } from '../../../server/store/purposes.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { refusals } from '../jsonapi/documents.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ blockIntervalMs: 1_000 })
})
afterAll(() => app.close())

const get = (key: string, path: string): Promise<Answer> => ask(app.port, path, { key })

/** What waits for this lock takes as long as the most expensive query there is. */
async function whileDeliveriesAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const locker = new pg.Client({ connectionString: app.database.url })
  await locker.connect()
  await locker.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE')
  try {
    return await work()
  } finally {
    await locker.end()
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

/** Told within so many milliseconds, although other reads hang for five seconds. */
const PROMPT_MS = 3_500

async function promptly(what: string, work: () => Promise<Answer>, status = 200): Promise<void> {
  const began = performance.now()
  const answer = await work()
  expect([what, answer.status]).toEqual([what, status])
  expect([what, performance.now() - began < PROMPT_MS]).toEqual([what, true])
}

describe('a flood of expensive reads', () => {
  it('leaves blocks, submissions, plain reads, budgets and health their connections', async () => {
    const flood = await whileDeliveriesAreLocked(async () => {
      const [other, third] = [await app.account('mallory'), await app.account('oscar')]
      const height = async (): Promise<number> =>
        (await app.query<{ height: number }>('SELECT max(height)::int AS height FROM blocks'))[0]?.height ?? 0
      const before = await height()
      const flooding = [app.owner, other, third].flatMap(({ key }) => [
        ...Array.from({ length: 6 }, () => get(key, EXPENSIVE)),
        ask(app.port, '/gql', {
          key,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(ALIASED),
        }),
      ])
      const { key } = await app.account('grace')
      await promptly('latest', () => get(key, '/api/json/beacons/latest'))
      await promptly('blocks', () => get(key, '/api/json/blocks?page[limit]=5'))
      await promptly('me', () => get(key, '/api/json/users/me'))
      await promptly('ready', () => ask(app.port, '/health/ready'))
      await promptly(
        'create',
        () =>
          ask(app.port, '/api/json/items', {
            key,
            body: {
              json: {
                data: {
                  type: 'item',
                  attributes: { claims: claimsOf('beside a flood') },
                },
              },
            },
          }),
        201,
      )
      const answers = await Promise.all(flooding)
      expect(await height(), 'blocks were made meanwhile').toBeGreaterThanOrEqual(before + 2)
      return answers
    })
    for (const answer of flood.filter(({ headers }) => headers['content-type']?.includes('vnd.api+json')))
      expect(['400 query_too_expensive', '503 overloaded']).toContain(refusals(answer)[0])
  })

  it('of one caller takes two turns at once, lets eight wait, and tells the eleventh at once', async () => {
    await whileDeliveriesAreLocked(async () => {
      const began = performance.now()
      const order: Answer[] = []
      await Promise.all(
        Array.from({ length: 11 }, async () => order.push(await get(app.owner.key, EXPENSIVE))),
      )
      const [first, ...others] = order
      const told = z.object({ errors: z.tuple([z.object({ meta: z.object({ maximum: z.literal(10) }) })]) })
      expect(told.safeParse(first?.json()).success, first?.text).toBe(true)
      expect(Number(first?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      for (const answer of others) expect(told.safeParse(answer.json()).success).toBe(false)
      // The time of a request counts from its arrival, waiting included.
      expect(performance.now() - began).toBeLessThan(9_500)
    })
  })

  it('leaves another caller a turn', async () => {
    const other = await app.account('trent')
    await whileDeliveriesAreLocked(async () => {
      const flooding = Array.from({ length: 10 }, () => get(app.owner.key, EXPENSIVE))
      await promptly('filtered blocks', () => get(other.key, '/api/json/blocks?filter[height][gte]=0'))
      await Promise.all(flooding)
    })
  })
})

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
