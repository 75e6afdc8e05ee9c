// A hundred thousand addresses out of nowhere: memory stays within its bound, and the database hardly hears of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressKey } from '../../../server/kernel/addresses.ts'
import { chargeMany, openServers, type Servers } from './servers.ts'

const FLOOD = 100_000
/** The same with requests that go to the database. */
const SMALL_FLOOD = 25_000
/** Of so many a server knows something at a time. */
const MOST = 20_000

let servers: Servers

beforeEach(async () => {
  servers = await openServers()
})
afterEach(() => servers.close())

const address = (index: number): string =>
  addressKey(`2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`)

const addresses: readonly string[] = Array.from({ length: FLOOD }, (_, index) => address(index))

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const heapMiB = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1_048_576
}

describe('a flood of random addresses', () => {
  it('that ask once each costs the database nothing, and memory for the newest of them', async () => {
    const server = await servers.open()
    const before = heapMiB()
    const began = performance.now()
    const awaited = addresses.filter((subject) => 'then' in server.charge('jsonapi_address', subject))
    const seconds = (performance.now() - began) / 1_000
    const grown = heapMiB() - before
    console.log(`${FLOOD} addresses: ${seconds.toFixed(2)} s, ${grown.toFixed(1)} MiB for ${MOST}`)
    expect(awaited).toEqual([])
    expect(server.counts()).toMatchObject({ subjects: MOST, statements: 0 })
    expect(grown).toBeLessThan(40)
  })

  it('that ask twice each, without a credential, costs it a bounded number of statements', async () => {
    const server = await servers.open()
    const refused: number[] = []
    await chargeMany(SMALL_FLOOD, 500, async (index) => {
      await server.charge('jsonapi_anonymous', address(index))
      if (!(await server.charge('jsonapi_anonymous', address(index))).allowed) refused.push(index)
    })
    expect(refused).toEqual([])
    const { subjects, statements } = server.counts()
    expect(subjects).toBeLessThanOrEqual(MOST)
    expect(statements).toBeLessThan(SMALL_FLOOD / 20)
  })

  it('that ask five times each at once is not asked for one by one', async () => {
    const server = await servers.open()
    for (let index = 0; index < SMALL_FLOOD; index += 1) {
      for (let again = 0; again < 5; again += 1) await server.charge('jsonapi_address', address(index))
      if (index % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const { subjects, statements } = server.counts()
    expect(subjects).toBeLessThanOrEqual(MOST)
    expect(statements).toBeLessThan(SMALL_FLOOD / 20)
  })

  it('does not push out somebody who is being refused', async () => {
    const server = await servers.open()
    for (let count = 0; count < 1_100; count += 1) await server.charge('jsonapi_address', '203.0.113.1')
    for (const [index, subject] of addresses.entries()) {
      await server.charge('jsonapi_address', subject)
      if (index % 100 === 0)
        expect((await server.charge('jsonapi_address', '203.0.113.1')).allowed).toBe(false)
    }
  })
})
