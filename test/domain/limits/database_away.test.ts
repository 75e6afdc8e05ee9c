// A database that is away or does not answer: every server counts for itself, nobody waits long, and it heals.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { systemClock } from '../../../server/domain/limits/lease_budgets.ts'
import { eventually } from '../../support/http.ts'
import { type Gate, openGate } from './gate.ts'
import { openServers, type Servers } from './servers.ts'

let servers: Servers
let gate: Gate

beforeEach(async () => {
  servers = await openServers()
  gate = await openGate(inject('postgresUrl'))
})
afterEach(async () => {
  gate.set('open')
  await servers.close()
  await gate.close()
})

describe('a server whose database', () => {
  it.each(['shut', 'mute'] as const)('is %s counts locally: neither nobody nor everybody', async (state) => {
    const server = await servers.open({ through: gate.through })
    expect((await server.charge('jsonapi_caller', 'before')).allowed).toBe(true)
    await eventually(() => (server.counts().statements > 0 ? true : undefined))
    gate.set(state)

    const cutOff = performance.now()
    const cameBack = () => ((performance.now() - cutOff) * 120) / 60_000
    let slowest = 0
    let admitted = 0
    for (let count = 0; count < 300; count += 1) {
      const began = performance.now()
      const { allowed, retryAfterMs, remaining } = await server.charge('jsonapi_caller', 'meanwhile')
      slowest = Math.max(slowest, performance.now() - began)
      if (allowed) admitted += 1
      else expect(retryAfterMs, `remaining ${remaining}`).toBeGreaterThan(0)
    }
    expect(admitted).toBeGreaterThanOrEqual(119)
    expect(admitted).toBeLessThanOrEqual(123 + cameBack())
    expect(slowest).toBeLessThan(10_000)
    expect(server.counts().away).toBe(true)
    // Budgets so small that every charge asks the database go on as well.
    const small = []
    for (let count = 0; count < 20; count += 1) small.push(await server.charge('webhook_test', 'meanwhile'))
    const smallAdmitted = small.filter(({ allowed }) => allowed).length
    expect(smallAdmitted).toBeGreaterThanOrEqual(10)
    expect(smallAdmitted).toBeLessThanOrEqual(10 + cameBack() / 12)

    gate.set('open')
    await eventually(async () => {
      await server.charge('jsonapi_caller', 'after')
      return server.counts().away ? undefined : true
    })
    // A machine that is late may make it say the same once more.
    expect(server.said.slice(0, 2)).toEqual(['limits.counting_locally', 'limits.shared_again'])
    // What was let through meanwhile is known to the others now.
    const other = await servers.open()
    await eventually(async () => {
      const { rows } = await spentOf('meanwhile')
      return rows.some(({ spent }) => spent > 100) ? true : undefined
    })
    let more = 0
    for (let count = 0; count < 60; count += 1)
      if ((await other.charge('jsonapi_caller', 'meanwhile')).allowed) more += 1
    expect(more).toBeLessThan(15 + cameBack())
  })

  it('was away from the start charges all the same', async () => {
    gate.set('shut')
    const server = await servers.open({ through: gate.through })
    const began = performance.now()
    const charges = await Promise.all(
      Array.from({ length: 200 }, () => server.charge('proof_verify', 'somebody')),
    )
    const admitted = charges.filter(({ allowed }) => allowed).length
    expect(admitted).toBeGreaterThanOrEqual(30)
    expect(admitted).toBeLessThanOrEqual(30 + ((performance.now() - began) * 30) / 60_000)
  })

  it('answered while this process was held up is not away', async () => {
    const server = await servers.open({ clock: systemClock })
    await server.charge('proof_verify', 'somebody')
    const charge = server.charge('proof_verify', 'somebody')
    // The statement leaves at the end of the turn, and is answered while nobody here listens.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    for (const until = performance.now() + 1_400; performance.now() < until; );
    expect((await charge).allowed).toBe(true)
    // The next answer of the database comes after all that could have been said of this one.
    expect((await server.charge('proof_verify', 'somebody else')).allowed).toBe(true)
    expect(server.said).toEqual([])
  })

  it('has lost its rows (an unlogged table after a crash) goes on with whole budgets', async () => {
    const server = await servers.open()
    for (let count = 0; count < 30; count += 1) await server.charge('proof_verify', 'somebody')
    expect((await server.charge('proof_verify', 'somebody')).allowed).toBe(false)
    await servers.query('TRUNCATE rate_budgets')
    const other = await servers.open()
    expect((await other.charge('proof_verify', 'somebody')).allowed).toBe(true)
  })
})

const spentOf = async (subject: string) => ({
  rows: await servers.query<{ spent: number }>('SELECT spent FROM rate_budgets WHERE subject = $1', [
    subject,
  ]),
})
