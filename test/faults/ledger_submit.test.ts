// Acknowledged items are stored. Other items are stored completely or not at all.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAllowances } from '../../server/domain/accounts/daily_allowance.ts'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { createSubmitter } from '../../server/domain/ledger/submitter.ts'
import { createLog } from '../../server/kernel/log.ts'
import { openStore } from '../../server/store/open_store.ts'
import { inTransaction } from '../../server/store/statement.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { claimsOf } from '../support/ledger.ts'
import { rows } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'
import { startLedgerProcess } from './start_ledger_process.ts'

const ledger = testLedger()
let proxy: FaultProxy
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
})
afterAll(() => proxy.close())

const serve = async () => {
  const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 4 })
  const signer = createSigner({ masterKey: ledger.masterKey })
  const drafts = (count: number) =>
    Array.from({ length: count }, () =>
      draftItem({
        claims: submittedClaims(claimsOf('a file')),
        creatorId: ledger.userId,
        teamId: ledger.teamId,
      }),
    )
  const em = () => store.em()
  const sizes: number[] = []
  const submitter = createSubmitter({
    em,
    signer,
    allowances: createAllowances({ em, log: createLog('silent') }),
    onGroup: (items) => void sizes.push(items),
  })
  return {
    /** The sizes of the groups of `submitOne` so far. */
    sizes,
    submitOne: async () => {
      const [draft] = drafts(1)
      if (draft === undefined) throw new Error('There is no draft.')
      return submitter.submit(draft, 'developer')
    },
    submit: (count: number) => submitItems({ em: store.em(), signer }, drafts(count)),
    submitInTransaction: (count: number) =>
      inTransaction(store.em(), (tx) => submitItems({ em: tx, signer }, drafts(count))),
  }
}
const ids = async () =>
  (await rows<{ id: string }>(ledger.store.em(), 'SELECT id FROM items ORDER BY id')).map(({ id }) => id)
const told = async () =>
  (
    await rows<{ id: string }>(
      ledger.store.em(),
      `SELECT subject_id AS id FROM facts WHERE kind = 'item.created' ORDER BY subject_id`,
    )
  ).map(({ id }) => id)
/** Every item is in a block and has its fact, and the audit passes. */
const settle = async () => {
  await ledger.finalize()
  expect(await rows(ledger.store.em(), 'SELECT 1 FROM shown_items WHERE block_id IS NULL')).toEqual([])
  expect(await told()).toEqual(await ids())
  expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
}

describe('submitting', () => {
  it.each([
    { way: 'submit', at: /INSERT INTO items/, when: 'before', recorded: 0 },
    { way: 'submit', at: /INSERT INTO items/, when: 'after', recorded: 3 },
    { way: 'submit', at: /pharos_now/, when: 'after', recorded: 0 },
    { way: 'submitInTransaction', at: /INSERT INTO items/, when: 'after', recorded: 0 },
    { way: 'submitInTransaction', at: /^commit/, when: 'before', recorded: 0 },
    { way: 'submitInTransaction', at: /^commit/, when: 'after', recorded: 3 },
  ] as const)(
    'that loses its connection $when $at ($way) is not acknowledged, and recorded as a whole or not at all',
    async ({ way, at, when, recorded }) => {
      const before = await ids()
      const struck = proxy.strike({ matches: (sql) => at.test(sql), when })
      await expect((await serve())[way](3)).rejects.toThrow()
      await struck
      expect((await ids()).length - before.length).toBe(recorded)
      await settle()
    },
  )

  it('of many at once through failing connections loses nothing that was acknowledged', async () => {
    const acknowledged: string[] = []
    let refused = 0
    const server = await serve()
    for (let wave = 0; wave < 12; wave += 1) {
      const struck = proxy.strike({
        matches: (sql) => /INSERT INTO items/.test(sql),
        nth: 1 + (wave % 5),
        when: wave % 2 === 0 ? 'after' : 'before',
      })
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => server.submit(1)))
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') refused += 1
        else for (const made of outcome.value) if ('item' in made) acknowledged.push(made.item.id)
      await struck
      if (wave % 4 === 0) await ledger.finalize()
    }
    const recorded = new Set(await ids())
    expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([])
    expect([acknowledged.length, refused]).toEqual([60, 12])
    await settle()
  })

  it.each(['before', 'after'] as const)(
    'in groups that overlap, one of which loses its connection %s its INSERT, loses nothing that was acknowledged',
    async (when) => {
      const server = await serve()
      const before = new Set(await ids())
      const acknowledged: string[] = []
      const struck = proxy.strike({ matches: (sql) => /INSERT INTO items/.test(sql), nth: 2, when })
      const waves = Array.from({ length: 8 }, async (_, wave) => {
        // Later waves arrive while the groups of earlier ones are written.
        for (let turn = 0; turn < wave * 4; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        return Promise.allSettled(Array.from({ length: 12 }, server.submitOne))
      })
      const outcomes = (await Promise.all(waves)).flat()
      await struck
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') acknowledged.push(outcome.value.id)
      const recorded = new Set(await ids())
      expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([])
      expect(new Set(acknowledged).size).toBe(acknowledged.length)
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(acknowledged.length).toBeLessThan(outcomes.length)
      expect(server.sizes.length).toBeGreaterThanOrEqual(2)
      expect(recorded.size - before.size).toBeGreaterThanOrEqual(acknowledged.length)
      expect((await server.submitOne()).id).toBeDefined()
      await settle()
    },
  )

  it('by a process that is killed loses nothing that was acknowledged', async () => {
    const child = await startLedgerProcess(proxy.through(ledger.database.url))
    const struck = proxy.strike({
      matches: (sql) => /INSERT INTO items/.test(sql),
      nth: 25,
      when: 'after',
      hook: child.kill,
    })
    child.tell({ do: 'submit until told', creatorId: ledger.userId, teamId: ledger.teamId })
    await struck
    const recorded = new Set(await ids())
    expect(child.acknowledged.length).toBe(24)
    expect(child.acknowledged.filter((id) => !recorded.has(id))).toEqual([])
    await settle()
  })
})
