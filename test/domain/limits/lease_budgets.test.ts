// The database's way of counting and ours are the same, and what it hands out is never more than there is.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BudgetAsk, leaseBudgets } from '../../../server/domain/limits/lease_budgets.ts'
import { clockMinute, minuteOf, tokenBucket } from '../../../server/kernel/token_bucket.ts'
import { openServers, type Servers } from './servers.ts'

let servers: Servers

beforeAll(async () => {
  servers = await openServers()
})
afterAll(() => servers.close())

const ask = (parts: Partial<BudgetAsk>): BudgetAsk => ({
  budget: 'jsonapi_caller',
  subject: 'somebody',
  perMinute: 120,
  minute: null,
  settled: 0,
  due: 0,
  spare: 0,
  ...parts,
})

/** What comes back to a budget from now on, in which the rounding of two clocks is nothing: a late machine has more of it. */
const watchRefill = (perMinute: number): (() => number) => {
  const began = performance.now()
  return () => ((performance.now() - began) * perMinute) / 60_000 + 0.01
}

const lease = (...asks: BudgetAsk[]) => leaseBudgets(servers.store.em(), asks)

describe('lease_budget', () => {
  it('forgets spending as the bucket and the clock minute do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          windowed: fc.boolean(),
          limit: fc.integer({ min: 1, max: 3_000 }),
          part: fc.double({ min: 0, max: 1.05, noNaN: true }),
          agoMs: fc.integer({ min: -5_000, max: 130_000 }),
        }),
        async ({ windowed, limit, part, agoMs }) => {
          const [answer] = await servers.query<{ spent: number; at: number; then: number }>(
            `SELECT l.spent, unix_ms(l.at) AS at, unix_ms(t.then) AS "then"
               FROM (SELECT pharos_now() - $3 * interval '1 millisecond' AS "then") AS t,
                    lease_budget($1, t.then, ($2, $4, 0, 0, 0)::budget_ask) AS l`,
            [limit * part, limit, agoMs, windowed ? 0 : null],
          )
          if (answer === undefined) throw new Error('It answers one row.')
          const spending = { spent: limit * part, atMs: answer.then }
          const ours = (windowed ? clockMinute : tokenBucket).spentAt(spending, limit, answer.at)
          // A clock that went back beyond the minute: the database starts anew, or nobody got anything for an hour.
          if (windowed && minuteOf(answer.then) > minuteOf(answer.at)) expect(answer.spent).toBe(0)
          else expect(answer.spent).toBeCloseTo(ours, 6)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('hands out what is due before what is spare, and ever less in advance', async () => {
    const refilled = watchRefill(120)
    expect(await lease(ask({ subject: 'a', due: 3, spare: 5 }))).toMatchObject([{ granted: 8, spent: 8 }])
    const [next] = await lease(ask({ subject: 'a', settled: 92, due: 0, spare: 5 }))
    expect(next?.granted).toBeGreaterThanOrEqual(2)
    expect(next?.granted).toBeLessThanOrEqual(2 + refilled())
    const [last] = await lease(ask({ subject: 'a', due: 50, spare: 5 }))
    expect(last?.granted).toBeGreaterThanOrEqual(20 - Number(next?.granted))
    expect(last?.granted).toBeLessThanOrEqual(20 - Number(next?.granted) + refilled())
  })

  it('takes back, never below nothing, and remembers no more than 5 % above the limit', async () => {
    const refilled = watchRefill(120)
    await lease(ask({ subject: 'b', due: 10 }))
    const [after] = await lease(ask({ subject: 'b', settled: -4 }))
    expect(after?.spent).toBeLessThanOrEqual(6)
    expect(after?.spent).toBeGreaterThanOrEqual(Math.max(0, 6 - refilled()))
    expect((await lease(ask({ subject: 'b', settled: -400 })))[0]?.spent).toBe(0)
    expect((await lease(ask({ subject: 'b', settled: 4_000 })))[0]?.spent).toBe(126)
  })

  it('does not count in this minute what was spent in the last', async () => {
    const [{ atMs } = { atMs: 0 }] = await lease(ask({ subject: 'clock' }))
    const minute = minuteOf(atMs)
    const windowed = { subject: 'c', perMinute: 1_000, minute }
    expect(await lease(ask({ ...windowed, settled: 10 }))).toMatchObject([{ spent: 10 }])
    expect(await lease(ask({ ...windowed, minute: minute - 1, settled: 10 }))).toMatchObject([{ spent: 10 }])
    expect(await lease(ask({ ...windowed, minute: minute - 1, settled: -10 }))).toMatchObject([{ spent: 10 }])
  })

  it('judges statements that meet one after the other, whatever order their subjects are in', async () => {
    const subjects = Array.from({ length: 50 }, (_, index) => `meeting ${index}`)
    const refilled = watchRefill(100)
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        lease(
          ...(index % 2 === 0 ? subjects : subjects.toReversed()).map((subject) =>
            ask({ subject, due: 13, spare: 5, perMinute: 100 }),
          ),
        ),
      ),
    )
    for (const subject of subjects) {
      const granted = answers
        .flat()
        .filter((answer) => answer.subject === subject)
        .reduce((sum, answer) => sum + answer.granted, 0)
      // And what the bucket got back in the meantime.
      expect(granted).toBeGreaterThanOrEqual(100)
      expect(granted).toBeLessThanOrEqual(100 + refilled())
    }
  })
})
