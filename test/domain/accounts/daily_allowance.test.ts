// The daily allowance of a plan: exact, however many servers take from it at once, and free for whom no cap is set.
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import {
  type Allowances,
  createAllowances,
  pruneAllowances,
} from '../../../server/domain/accounts/daily_allowance.ts'
import type { Plan } from '../../../server/domain/accounts/plan.ts'
import { openStore, type Store } from '../../../server/store/open_store.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'

const log = pino({ level: 'silent' })
const ledger = testLedger()
const stores: Store[] = []
const servers: Allowances[] = []
beforeAll(async () => {
  for (let opened = 0; opened < 3; opened += 1) {
    const store = openStore({ url: ledger.database.url, poolSize: 4 })
    stores.push(store)
    servers.push(createAllowances({ em: store.em, log }))
  }
})
afterAll(async () => {
  for (const store of stores) await store.close()
})

let people = 0
const creator = async (): Promise<string> => {
  people += 1
  const { userId } = await createAccount(ledger.store.em(), { email: `p${people}@example.com`, plan: 'free' })
  return userId
}
const ask = (creatorId: string, items: number, bytes = items, plan: Plan = 'free') => ({
  creatorId,
  plan,
  items,
  bytes,
})
const server = (index: number): Allowances => {
  const found = servers[index % servers.length]
  if (found === undefined) throw new Error('no server')
  return found
}
const spent = async (creatorId: string) => {
  const [found] = await rows<{ items: number; bytes: number }>(
    ledger.store.em(),
    'SELECT items::int, bytes::float8 FROM daily_submissions WHERE creator_id = $1',
    [creatorId],
  )
  return found
}

it('three servers that take at once admit exactly what the plan has, and deadlock nowhere', async () => {
  const creators = await Promise.all(Array.from({ length: 5 }, creator))
  const takes = await Promise.all(
    Array.from({ length: 90 }, async (_, index) => {
      // Groups name the creators in different orders.
      const asked = index % 2 === 0 ? creators : creators.toReversed()
      return (await server(index).take(asked.map((one) => ask(one, 13)))).map((allowed, nth) => ({
        creatorId: asked[nth],
        admitted: 'taken' in allowed,
      }))
    }),
  )
  for (const one of creators) {
    const admitted = takes.flat().filter(({ creatorId, admitted: yes }) => yes && creatorId === one).length
    expect(admitted).toBe(Math.floor(1_000 / 13))
    expect(await spent(one)).toEqual({ items: admitted * 13, bytes: admitted * 13 })
  }
})

it('within one group each ask is admitted or refused by itself, in order', async () => {
  const [one, other] = [await creator(), await creator()]
  const told = await server(0).take([
    ask(one, 600),
    ask(one, 600),
    ask(other, 1_000),
    ask(one, 400),
    ask(other, 1),
  ])
  expect(told.map((allowed) => 'taken' in allowed)).toEqual([true, false, true, true, false])
})

it('refuses with plan_limit, the number, its unit and when it resets', async () => {
  const one = await creator()
  const refusalOf = async (items: number, bytes: number) => {
    const [allowed] = await server(0).take([ask(one, items, bytes)])
    return allowed !== undefined && 'refusal' in allowed ? allowed.refusal.problems[0] : undefined
  }
  const midnight = expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  expect(await refusalOf(1_001, 1)).toMatchObject({
    code: 'plan_limit',
    meta: { limit: 1_000, unit: 'items', resets_at: midnight },
  })
  expect(await refusalOf(1, 16 * 1_048_576 + 1)).toMatchObject({
    code: 'plan_limit',
    meta: { limit: 16_777_216, unit: 'bytes', resets_at: midnight },
  })
  expect(await refusalOf(1_000, 16 * 1_048_576)).toBeUndefined()
  expect(await refusalOf(1, 1)).toBeDefined()
})

it('what is given back can be taken again, also when the database did not hear of it at once', async () => {
  const one = await creator()
  const [taken] = await server(0).take([ask(one, 1_000)])
  if (taken === undefined || !('taken' in taken)) throw new Error('refused')
  await server(0).giveBack([taken])
  expect(await spent(one)).toEqual({ items: 0, bytes: 0 })

  const closed = openStore({ url: 'postgresql://pharos@127.0.0.1:9/none', poolSize: 1 })
  let away = false
  const flaky = createAllowances({ em: () => (away ? closed.em() : ledger.store.em()), log })
  const [again] = await flaky.take([ask(one, 1_000)])
  if (again === undefined || !('taken' in again)) throw new Error('refused')
  away = true
  await flaky.giveBack([again])
  await closed.close()
  expect(await spent(one)).toEqual({ items: 1_000, bytes: 1_000 })
  away = false
  const [third] = await flaky.take([ask(one, 1_000)])
  expect(third).toHaveProperty('taken')
})

it('a plan without a cap costs no statement and leaves no row', async () => {
  const one = await creator()
  const nobody = createAllowances({
    em: () => {
      throw new Error('asked')
    },
    log,
  })
  const [allowed] = await nobody.take([ask(one, 1_000_000, 1e12, 'enterprise')])
  expect(allowed).toHaveProperty('taken')
  if (allowed !== undefined && 'taken' in allowed) await nobody.giveBack([allowed])
  expect(await spent(one)).toBeUndefined()
})

it('a new day begins anew, and days before yesterday are pruned', async () => {
  const one = await creator()
  await server(0).take([ask(one, 1_000)])
  const em = ledger.store.em()
  await rows(em, `UPDATE daily_submissions SET day = day - 1 WHERE creator_id = $1`, [one])
  expect((await server(0).take([ask(one, 1_000)]))[0]).toHaveProperty('taken')
  expect(await pruneAllowances(em, 1_000)).toBe(0)
  await rows(
    em,
    `UPDATE daily_submissions SET day = day - 1 WHERE creator_id = $1 AND items = 1000 AND day < (SELECT max(day) FROM daily_submissions)`,
    [one],
  )
  expect(await pruneAllowances(em, 1_000)).toBe(1)
})
