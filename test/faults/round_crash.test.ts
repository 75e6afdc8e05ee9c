// Wherever the recording of a round is cut off, the round is there with its item, or neither is.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { openRounds } from '../../server/domain/rounds/open_rounds.ts'
import { createLog } from '../../server/kernel/log.ts'
import { openStore } from '../../server/store/open_store.ts'
import type { TreeEntry } from '../../shared/evidence/digest_tree.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { testLedger } from '../support/test_ledger.ts'

const ledger = testLedger()
let proxy: FaultProxy
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
})
afterAll(() => proxy.close())

const digest = (text: string): TreeEntry => ({
  type: 'sha256',
  value: createHash('sha256').update(text).digest(),
})

/** A server of its own whose connections go through the proxy. Returns how each of three callers was answered. */
async function stampThree(): Promise<PromiseSettledResult<unknown>[]> {
  const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 2 })
  const rounds = openRounds({
    em: () => store.em(),
    signer: createSigner({ masterKey: ledger.masterKey }),
    intervalMs: 1,
    onRecorded: () => undefined,
    log: createLog('silent'),
  })
  try {
    return await Promise.allSettled(['a', 'b', 'c'].map((text) => rounds.place([digest(text)], text)))
  } finally {
    await rounds.close()
    await store.close()
  }
}

/** Rounds without their item, and items of rounds without their round; then how many rounds there are. */
async function roundsAndHalves(): Promise<{ halves: number; rounds: number }> {
  const [found] = await ledger.database.query<{ halves: number; rounds: number }>(
    `SELECT count(*) FILTER (WHERE i.id IS NULL OR r.item_id IS NULL OR f.subject_id IS NULL)::int AS halves,
            count(r.item_id)::int AS rounds
       FROM aggregation_rounds r FULL JOIN (SELECT id FROM items WHERE display_name LIKE 'Pharos round %') i ON i.id = r.item_id
       LEFT JOIN facts f ON f.kind = 'item.created' AND f.subject_id = i.id`,
  )
  if (found === undefined) throw new Error('A count has no row.')
  return found
}

it.each(['before', 'after'] as const)(
  'a server that loses its database %s each statement leaves no half of a round, and tells nobody of one',
  async (when) => {
    proxy.takeStatements()
    await stampThree()
    const statements = proxy.takeStatements()
    for (const part of [
      'begin',
      'nextval',
      'INSERT INTO items',
      'insert into "aggregation_rounds"',
      'commit',
    ])
      expect(
        statements.some((sql) => sql.includes(part)),
        part,
      ).toBe(true)
    for (const [index, sql] of statements.entries()) {
      const before = await roundsAndHalves()
      const struck = proxy.strike({ matches: () => true, nth: index + 1, when })
      const answers = await stampThree()
      expect(await struck, `${when} ${sql}`).toBe(sql)
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'database_unavailable' } })
      // A commit that was carried out and not answered is the one case in which more is there than anybody was told.
      const isThere = when === 'after' && sql.startsWith('commit')
      expect(await roundsAndHalves(), `${when} ${sql}`).toEqual({
        halves: 0,
        rounds: before.rounds + (isThere ? 1 : 0),
      })
      const again = await stampThree()
      expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    }
    await ledger.finalize()
    expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
  },
  120_000,
)
