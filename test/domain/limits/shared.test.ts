// Four servers on one database hand out one budget: all of it, and at most a few percent more.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BudgetName, FLEET } from '../../../server/domain/limits/budgets.ts'
import type { Limits } from '../../../server/domain/limits/limits.ts'
import { chargeMany, openServers, type Servers } from './servers.ts'

let servers: Servers
let four: Limits[]

beforeAll(async () => {
  servers = await openServers()
  four = await Promise.all(Array.from({ length: 4 }, () => servers.open()))
})
afterAll(() => servers.close())

const at = (index: number): Limits => {
  const server = four[index % four.length]
  if (server === undefined) throw new Error('There are four servers.')
  return server
}

interface Outcome {
  readonly admitted: number
  /** What came back while the charges ran. */
  readonly refilled: number
}

/** The minute of the database's clock. */
const minuteNow = async (): Promise<number> => {
  const [row] = await servers.query<{ minute: number }>(
    'SELECT floor(unix_ms(pharos_now()) / 60000) AS minute',
  )
  return row?.minute ?? 0
}

/** Tells what has come back since: to a bucket steadily, to a window the whole of it with each minute. */
async function watchRefill(budget: BudgetName, limit: number): Promise<() => Promise<number>> {
  const isWindow = budget.endsWith('_address')
  const began = performance.now()
  const minute = isWindow ? await minuteNow() : 0
  return async () =>
    isWindow ? ((await minuteNow()) - minute) * limit * 1.05 : ((performance.now() - began) * limit) / 60_000
}

/** Charges until far more than the budget was asked for, at the servers that `pick` names. */
async function spend(
  budget: BudgetName,
  subject: string,
  limit: number,
  lanes: number,
  pick: (index: number) => Limits,
): Promise<Outcome> {
  const refilled = await watchRefill(budget, limit)
  let admitted = 0
  await chargeMany(limit * 3, lanes, async (index) => {
    if ((await pick(index).charge(budget, subject)).allowed) admitted += 1
  })
  return { admitted, refilled: await refilled() }
}

const EVERY_BUDGET: readonly (readonly [BudgetName, string, number])[] = [
  ['jsonapi_caller', 'ada', 120],
  ['graphql_caller', 'ada', 120],
  ['jsonapi_anonymous', '203.0.113.9', 120],
  ['jsonapi_address', '203.0.113.9', 1_000],
  ['proof_generate', 'ada', 300],
  ['proof_generate_fleet', FLEET, 3_000],
  ['proof_verify', 'ada', 30],
  ['proof_verify_external_fleet', FLEET, 120],
  ['webhook_test', 'ada', 10],
]

const expectWhole = ({ admitted, refilled }: Outcome, limit: number): void => {
  expect(admitted).toBeLessThanOrEqual(limit * 1.05 + refilled)
  expect(admitted).toBeGreaterThanOrEqual(limit * 0.95)
}

describe('a burst at four servers at once', () => {
  it.each(EVERY_BUDGET)('%s: gets the budget, within five percent', async (budget, subject, limit) => {
    const outcome = await spend(budget, subject, limit, 64, at)
    expectWhole(outcome, limit)
  })

  it('is the same when all of it arrives in one turn', async () => {
    const began = performance.now()
    const charges = Array.from({ length: 480 }, (_, index) => at(index).charge('jsonapi_caller', 'one turn'))
    const admitted = (await Promise.all(charges)).filter(({ allowed }) => allowed).length
    expectWhole({ admitted, refilled: 1 + ((performance.now() - began) * 120) / 60_000 }, 120)
  })

  it('of many callers is kept apart by caller', async () => {
    const admitted = new Map<string, number>()
    const began = performance.now()
    await chargeMany(40 * 200, 64, async (index) => {
      const caller = `caller ${index % 40}`
      const { allowed } = await at(Math.floor(index / 40)).charge('jsonapi_caller', caller)
      if (allowed) admitted.set(caller, (admitted.get(caller) ?? 0) + 1)
    })
    const refilled = ((performance.now() - began) * 120) / 60_000
    for (const count of admitted.values()) expectWhole({ admitted: count, refilled }, 120)
  })
})

describe('a budget that is used up', () => {
  it.each([
    ['jsonapi_caller', 120],
    ['jsonapi_address', 1_000],
    ['proof_generate', 300],
    ['proof_verify', 30],
  ] as const)('%s: at one server is used up at the others', async (budget, limit) => {
    const refilled = await watchRefill(budget, limit)
    const first = await spend(budget, 'used up', limit, 16, () => at(0))
    const late = await Promise.all(
      Array.from({ length: 300 }, (_, index) => at(1 + (index % 3)).charge(budget, 'used up')),
    )
    const admitted = first.admitted + late.filter(({ allowed }) => allowed).length
    expectWhole({ admitted, refilled: await refilled() }, limit)
  })

  it('comes back at its rate, however hard all servers are asked', async () => {
    const charge = (index: number) => at(index).charge('proof_generate_fleet', 'steady')
    for (let index = 0, row = 0; row < 8; index += 1) row = (await charge(index)).allowed ? 0 : row + 1
    const refilled = await watchRefill('proof_generate_fleet', 3_000)
    let admitted = 0
    // The time in which it was asked. While the machine stands still nobody asks.
    let askedMs = 0
    for (let index = 0, before = performance.now(); askedMs < 1_500; index += 1) {
      if ((await charge(index)).allowed) admitted += 1
      if (index % 16 === 0) await delay(1)
      const now = performance.now()
      askedMs += Math.min(now - before, 50)
      before = now
    }
    // 50 a second, with a share in hand at the beginning; less where this machine has no time to ask.
    expect(admitted).toBeGreaterThanOrEqual(((askedMs * 3_000) / 60_000) * 0.6)
    expect(admitted).toBeLessThanOrEqual((await refilled()) * 1.05 + 8)
  })
})

describe('a caller whose requests move between servers', () => {
  it.each([
    ['jsonapi_caller', 120],
    ['jsonapi_address', 1_000],
  ] as const)('%s: one at a time, server by server, gets the budget', async (budget, limit) => {
    const outcome = await spend(budget, 'in turns', limit, 1, at)
    expectWhole(outcome, limit)
  })

  it.each([
    ['jsonapi_caller', 120],
    ['jsonapi_address', 1_000],
  ] as const)('%s: is not refused early after it left one for another', async (budget, limit) => {
    const refilled = await watchRefill(budget, limit)
    for (const [index, server] of four.slice(0, 3).entries())
      for (let count = 0; count < limit / 4; count += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        expect((await server.charge(budget, 'moving')).allowed, `server ${index}`).toBe(true)
      }
    let more = 0
    while ((await at(3).charge(budget, 'moving')).allowed) {
      more += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((3 * limit) / 4 + more).toBeLessThanOrEqual(limit * 1.05 + (await refilled()))
    expect((3 * limit) / 4 + more).toBeGreaterThanOrEqual(limit * 0.85)
  })
})
