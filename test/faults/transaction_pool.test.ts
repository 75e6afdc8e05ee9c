// A transaction that loses its connection returns its place in the pool, so that a server survives a restart
// of its database.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { refuse } from '../../server/kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../server/store/database_errors.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { inTransaction } from '../../server/store/statement.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { row, rows } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'

const POOL_SIZE = 2

const ledger = testLedger()
let proxy: FaultProxy
let store: Store
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
  store = openStore({ url: proxy.through(ledger.database.url), poolSize: 12 })
  expect(store.connections('write')).toBe(POOL_SIZE)
})
afterAll(() => proxy.close())

/** Retries until PostgreSQL has noticed the cut connection and freed its lock. */
async function finalize(): Promise<void> {
  for (;;) {
    const made = await finalizeBlock({ ...ledger, em: store.em() }, { intervalMs: 1 })
    if (made.outcome === 'finalized') return
  }
}

describe('a transaction', () => {
  it.each([
    ['before', 'begin'],
    ['after', 'begin'],
    ['before', 'WITH upto'],
    ['after', 'WITH made'],
    ['before', 'commit'],
    ['after', 'commit'],
  ] as const)(
    'that loses its connection %s %s, more often than the pool is large, leaves the pool whole',
    async (when, start) => {
      for (let times = 0; times <= POOL_SIZE; times += 1) {
        const struck = proxy.strike({ matches: (sql) => sql.trim().startsWith(start), when })
        await expect(finalize()).rejects.toSatisfy(isDatabaseUnavailable)
        await struck
      }
      expect(
        await Promise.all(Array.from({ length: POOL_SIZE }, () => row(store.em(), 'SELECT 1 AS one'))),
      ).toEqual(Array.from({ length: POOL_SIZE }, () => ({ one: 1 })))
    },
  )

  it('that fails by itself is rolled back, says why, and leaves its connection usable', async () => {
    for (let times = 0; times <= POOL_SIZE; times += 1) {
      const refused = inTransaction(store.em(), async (tx) => {
        await rows(tx, `INSERT INTO feature_flags (name, enabled) VALUES ('x', true)`)
        throw refuse('not_found')
      })
      await expect(refused).rejects.toMatchObject({ code: 'not_found' })
      await expect(inTransaction(store.em(), (tx) => rows(tx, 'SELECT 1 / 0'))).rejects.toThrow(
        'division by zero',
      )
    }
    expect(await rows(store.em(), `SELECT 1 FROM feature_flags WHERE name = 'x'`)).toEqual([])
  })

  it('is alone in what it does until it commits', async () => {
    await inTransaction(store.em(), async (tx) => {
      await rows(tx, `INSERT INTO feature_flags (name, enabled) VALUES ('y', true)`)
      expect(await rows(tx, `SELECT 1 FROM feature_flags WHERE name = 'y'`)).toHaveLength(1)
      expect(await rows(store.em(), `SELECT 1 FROM feature_flags WHERE name = 'y'`)).toEqual([])
    })
    expect(await rows(store.em(), `SELECT 1 FROM feature_flags WHERE name = 'y'`)).toHaveLength(1)
  })

  it('keeps nothing back from a store that closes', async () => {
    expect(proxy.connections()).toBeGreaterThan(0)
    await store.close()
    await expect.poll(proxy.connections).toBe(0)
  })
})
