// One budget over time: when it refuses, when it is whole again, what is leased and given back, and what a charge costs.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../../server/domain/limits/charge.ts'
import { type Limits, pruneBudgets } from '../../../server/domain/limits/limits.ts'
import { eventually } from '../../support/http.ts'
import { chargeMany, openServers, ownClock, type Servers } from './servers.ts'

let servers: Servers

beforeAll(async () => {
  servers = await openServers()
})
afterAll(() => servers.close())

/** Nothing is asked any more: what was leased beyond the use has been given back, and nothing is leased anew. */
async function settled(server: Limits, subject: string, used: number): Promise<void> {
  await eventually(async () => {
    const { asks } = server.counts()
    await delay(1_000)
    return server.counts().asks === asks ? true : undefined
  })
  expect(await spentOf(subject)).toBeLessThanOrEqual(used)
}

const exhaust = async (
  server: Limits,
  budget: Parameters<Limits['charge']>[0],
  subject: string,
): Promise<Charge & { admitted: number }> => {
  for (let admitted = 0; ; admitted += 1) {
    const charge = await server.charge(budget, subject)
    if (!charge.allowed) return { ...charge, admitted }
  }
}

const spentOf = async (subject: string): Promise<number | undefined> =>
  (await servers.query<{ spent: number }>('SELECT spent FROM rate_budgets WHERE subject = $1', [subject]))[0]
    ?.spent

/** The database counts no more than what was used. */
const givenBack = (subject: string, used: number): Promise<true> =>
  eventually(async () => (((await spentOf(subject)) ?? Number.POSITIVE_INFINITY) <= used ? true : undefined))

describe('what is spent without a charge', () => {
  it('counts on every server, and what is beyond the budget is owed', async () => {
    const [here, there] = [await servers.open(), await servers.open()]
    const began = performance.now()
    expect(await here.charge('script_cpu', 'ada', 4_000)).toMatchObject({ allowed: true, limit: 10_000 })
    here.spend('script_cpu', 'ada', 5_500)
    expect((await here.charge('script_cpu', 'ada', 5_000)).allowed).toBe(false)
    await eventually(async () => (((await spentOf('ada')) ?? 0) > 4_000 ? true : undefined))
    expect((await there.charge('script_cpu', 'ada', 5_000)).allowed).toBe(false)
    here.spend('script_cpu', 'ada', 5_500)
    const { allowed, retryAfterMs } = await here.charge('script_cpu', 'ada')
    expect(allowed).toBe(false)
    // 5,000 more than there was, at 10,000 a minute.
    expect(retryAfterMs).toBeLessThanOrEqual(30_010)
    expect(retryAfterMs).toBeGreaterThan(29_900 - (performance.now() - began))
  })

  it('is taken from what was leased before', async () => {
    const server = await servers.open()
    const began = performance.now()
    await chargeMany(30, 1, async () => void (await server.charge('jsonapi_caller', 'leased')))
    for (let count = 0; count < 30; count += 1) server.spend('jsonapi_caller', 'leased', 1)
    await settled(server, 'leased', 60)
    const cameBack = ((performance.now() - began) * 120) / 60_000
    expect(await spentOf('leased')).toBeGreaterThan(58 - cameBack)
  })
})

describe('a charge', () => {
  it('says what is left, and at the end when one more fits', async () => {
    const server = await servers.open()
    const first = await server.charge('jsonapi_caller', 'ada')
    expect(first).toEqual({
      budget: 'jsonapi_caller',
      allowed: true,
      limit: 120,
      remaining: 119,
      retryAfterMs: 0,
    })
    const began = performance.now()
    const cameBack = () => ((performance.now() - began) * 120) / 60_000
    let last = first.remaining
    for (let count = 0; count < 60; count += 1) {
      const { remaining } = await server.charge('jsonapi_caller', 'ada')
      expect(remaining).toBeLessThanOrEqual(last + cameBack())
      last = remaining
    }
    // Truthful within a share and what came back meanwhile.
    expect(Math.abs(last - 59)).toBeLessThanOrEqual(6 + cameBack())
    const refused = await exhaust(server, 'jsonapi_caller', 'ada')
    expect(refused).toMatchObject({ allowed: false, limit: 120, remaining: 0 })
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(500)
  })

  it('of a bucket fits after exactly the time that was said, and not before', async () => {
    const own = await openServers()
    try {
      const clock = await ownClock(own)
      const server = await own.open({ clock })
      const { admitted, retryAfterMs } = await exhaust(server, 'proof_verify', 'bob')
      expect([admitted, retryAfterMs]).toEqual([30, 2_000])
      await clock.advance(retryAfterMs - 1)
      expect(await server.charge('proof_verify', 'bob')).toMatchObject({ allowed: false, retryAfterMs: 1 })
      await clock.advance(1)
      expect((await server.charge('proof_verify', 'bob')).allowed).toBe(true)
      expect((await server.charge('proof_verify', 'bob')).allowed).toBe(false)
    } finally {
      await own.close()
    }
  })

  it('may cost more than one; more than the budget counts as all of it', async () => {
    const server = await servers.open()
    const began = performance.now()
    expect(await server.charge('jsonapi_caller', 'eve', 100)).toMatchObject({ allowed: true, remaining: 20 })
    const refused = await server.charge('jsonapi_caller', 'eve', 30)
    const took = performance.now() - began
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(5_050)
    expect(refused.retryAfterMs).toBeGreaterThanOrEqual(4_950 - took)
    expect((await server.charge('jsonapi_caller', 'eve', 20)).allowed).toBe(true)
    const all = [1_000, 1].map((cost) => server.charge('jsonapi_caller', 'all', cost))
    expect((await Promise.all(all)).map(({ allowed }) => allowed)).toEqual([true, false])
    expect(() => server.charge('jsonapi_caller', 'eve', 0)).toThrow(RangeError)
    expect(() => server.charge('jsonapi_caller', 'eve', 1.5)).toThrow(RangeError)
  })

  it('goes by the limits that were set', async () => {
    const server = await servers.open({ limits: { LIMIT_CALLER_PER_MINUTE: 7, LIMIT_ADDRESS_PER_MINUTE: 9 } })
    expect(await exhaust(server, 'jsonapi_caller', 'set')).toMatchObject({ admitted: 7, limit: 7 })
    expect(await exhaust(server, 'graphql_caller', 'set')).toMatchObject({ admitted: 7 })
    expect(await exhaust(server, 'jsonapi_address', 'set')).toMatchObject({ admitted: 9, limit: 9 })
    await expect(servers.open({ limits: { LIMIT_CALLER_PER_MINUTE: 0 } })).rejects.toThrow(RangeError)
  })
})

describe('a window', () => {
  it('is whole again on the minute of the database’s clock, and not before', async () => {
    const own = await openServers()
    try {
      const clock = await ownClock(own)
      const server = await own.open({ clock })
      const { admitted, retryAfterMs } = await exhaust(server, 'jsonapi_address', '203.0.113.1')
      expect(admitted).toBe(1_000)
      await clock.advance(retryAfterMs - 1)
      expect(await server.charge('jsonapi_address', '203.0.113.1')).toMatchObject({
        allowed: false,
        retryAfterMs: 1,
      })
      await clock.advance(1)
      expect(new Date(clock.unixMs()).getUTCSeconds()).toBe(0)
      expect((await exhaust(server, 'jsonapi_address', '203.0.113.1')).admitted).toBe(1_000)
    } finally {
      await own.close()
    }
  })
})

// These wait for time to go by, and do so together.
describe.concurrent('a lease', () => {
  it('that nobody uses is given back, so that another server may hand it out', async () => {
    const one = await servers.open()
    const other = await servers.open()
    const began = performance.now()
    await chargeMany(60, 1, async () => void (await one.charge('jsonapi_caller', 'moved')))
    await settled(one, 'moved', 60)
    const { admitted } = await exhaust(other, 'jsonapi_caller', 'moved')
    const cameBack = ((performance.now() - began) * 120) / 60_000
    expect(60 + admitted).toBeGreaterThanOrEqual(118)
    expect(60 + admitted).toBeLessThanOrEqual(123 + cameBack)
  })

  it('is not taken anew while nobody comes', async () => {
    const server = await servers.open()
    await chargeMany(30, 1, async () => void (await server.charge('jsonapi_caller', 'gone')))
    await settled(server, 'gone', 30)
  })

  it('is given back at the end', async () => {
    const server = await servers.open()
    const began = performance.now()
    await chargeMany(30, 1, async () => void (await server.charge('graphql_caller', 'leaving')))
    await server.close()
    await givenBack('leaving', 30)
    const cameBack = ((performance.now() - began) * 120) / 60_000
    expect(await spentOf('leaving')).toBeGreaterThan(28 - cameBack)
    expect((await server.charge('graphql_caller', 'leaving')).allowed).toBe(true)
  })
})

describe('rows of idle subjects', () => {
  it('are pruned, those of others stay', async () => {
    const server = await servers.open()
    await server.charge('webhook_test', 'idle')
    await server.charge('webhook_test', 'busy')
    await servers.query(`UPDATE rate_budgets SET at = at - interval '3 minutes' WHERE subject = 'idle'`)
    expect(await pruneBudgets(servers.store.em(), 100)).toBe(1)
    expect(await spentOf('idle')).toBeUndefined()
    expect(await spentOf('busy')).toBe(1)
  })
})

describe('the usual charge', () => {
  it('asks nobody: 600 callers and their addresses, 4,000 requests a second on one server', async () => {
    const server = await servers.open()
    const took: number[] = []
    const request = async (who: number): Promise<void> => {
      const began = performance.now()
      const address = await server.charge('jsonapi_address', `198.51.100.${who}`)
      const caller = await server.charge('jsonapi_caller', `usual ${who}`)
      took.push(performance.now() - began)
      expect(address.allowed && caller.allowed).toBe(true)
    }
    // Ten requests in 24 turns of a caller: some together, some a second apart.
    const order = Array.from({ length: 9_600 }, (_, index) => (index * 7_919) % 600)
    const began = performance.now()
    const answered: Promise<void>[] = []
    while (answered.length < order.length) {
      // On a machine that is late there are fewer requests a second, but no more at once.
      const due = Math.min(order.length, (performance.now() - began) * 4, answered.length + 40)
      while (answered.length < due) answered.push(request(order[answered.length] ?? 0))
      await delay(1)
    }
    await Promise.all(answered)
    took.sort((a, b) => a - b)
    const at = (part: number) => `${((took[Math.floor(took.length * part)] ?? 0) * 1_000).toFixed(0)} µs`
    const { statements, asks, waited } = server.counts()
    console.log(
      `two charges: median ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}; ` +
        `${took.length} requests, ${waited} charges waited, ${statements} statements, ${asks} rows`,
    )
    expect(statements).toBeLessThan(took.length / 10)
    // One in a hundred, were this machine ours alone.
    expect(waited).toBeLessThan(took.length / 4)
  })
})
