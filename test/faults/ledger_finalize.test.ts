// Whatever happens to the connection or the process while a block is made, the result is a whole block or
// none, and the next block can be made.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { verifyHead } from '../../server/domain/ledger/check_start.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { recordObservation } from '../../server/domain/ledger/observation.ts'
import { createSigner, rotateKey } from '../../server/domain/ledger/signing_key.ts'
import { auditLog } from '../../server/domain/log/audit_log.ts'
import { openStore } from '../../server/store/open_store.ts'
import { blockLog } from '../support/block_log.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { row } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'
import { type LedgerProcess, startLedgerProcess } from './start_ledger_process.ts'

const WRITES = /^\s*(UPDATE|INSERT|WITH upto|WITH made|insert into "log_checkpoints"|commit)/

const ledger = testLedger()
let proxy: FaultProxy
/** The statements of a block with items, an observation, tiles and a key event, in order. */
let statements: string[]
let round = 0

beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
  await prepare()
  proxy.takeStatements()
  await finalizeThroughProxy()
  statements = proxy.takeStatements()
})
afterAll(() => proxy.close())

/** Prepares something of every kind for the next block. */
async function prepare(): Promise<void> {
  const { store, signer, masterKey } = ledger
  const em = store.em()
  round += 1
  await ledger.submit({}, {}, {})
  await recordObservation({ em, signer }, { source: 'entropy_nist', payload: { round }, publishedAt: null })
  // A rotation that still waits for its block also counts.
  await rotateKey({ em, masterKey }, { emergency: round % 2 === 0 }).catch(() => undefined)
}

/** Like a server that has just started: with its own pool and its own opened keys. */
async function finalizeThroughProxy() {
  const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 2 })
  const signer = createSigner({ masterKey: ledger.masterKey })
  const publicLog = blockLog(ledger.masterKey)
  return finalizeBlock({ em: store.em(), signer, publicLog }, { intervalMs: 1 })
}

const standing = () =>
  row<{ height: number; waiting: number }>(
    ledger.store.em(),
    `SELECT (SELECT max(height) FROM blocks) AS height,
            (SELECT count(*)::int FROM shown_items WHERE block_id IS NULL) +
            (SELECT count(*)::int FROM entropy_observations WHERE block_id IS NULL) AS waiting`,
  )

/**
 * Checks a new start: the head verifies, the audit passes, and the next block takes the remaining items, none
 * twice.
 */
async function goesOn(before: { height: number; waiting: number }, stored: boolean): Promise<void> {
  const em = ledger.store.em()
  await verifyHead(em)
  const report = await auditLedger({ em, masterKey: ledger.masterKey })
  expect(report.disagreements).toEqual([])
  await logAgrees()
  expect(await standing()).toEqual(stored ? { height: before.height + 1, waiting: 0 } : before)
  expect(await nextBlock()).toMatchObject({
    height: before.height + (stored ? 2 : 1),
    leaves: stored ? 0 : before.waiting,
  })
  expect(await standing()).toMatchObject({ waiting: 0 })
  expect((await auditLedger({ em, masterKey: ledger.masterKey })).disagreements).toEqual([])
  await logAgrees()
}

/** Every block is in the log, with the checkpoint that ends with it. */
async function logAgrees(): Promise<void> {
  const em = ledger.store.em()
  const log = await auditLog({ em, masterKey: ledger.masterKey })
  expect(log).toEqual({ tiles: 1, checkpoints: (await standing()).height + 1, disagreements: [] })
}

/** Retries until PostgreSQL has noticed the cut connection and freed its lock. */
async function nextBlock() {
  for (;;) {
    const made = await ledger.finalize()
    if (made.outcome === 'finalized') return made
  }
}

describe('making a block', () => {
  it('takes the statements that are put to the test here', () => {
    const starts = [
      'begin',
      'WITH upto AS',
      'INSERT INTO block_tiles',
      'UPDATE signing_keys',
      'WITH made AS',
      'insert into log_checkpoints',
      'commit',
    ]
    const words = statements.map((sql) => sql.trim().toLowerCase().replaceAll('"', ''))
    for (const start of starts)
      expect(
        words.filter((sql) => sql.startsWith(start.toLowerCase())),
        `${start} of ${words.join(' | ')}`,
      ).toHaveLength(1)
    expect(statements.at(-1)).toBe('commit')
  })

  it.each(['before', 'after'] as const)('loses its connection %s each statement', async (when) => {
    for (const [index, sql] of statements.entries()) {
      await prepare()
      const before = await standing()
      const struck = proxy.strike({ matches: () => true, nth: index + 1, when })
      await expect(finalizeThroughProxy(), `${when} ${sql}`).rejects.toThrow()
      expect(await struck).toBe(sql)
      await goesOn(before, when === 'after' && sql === 'commit')
    }
  })

  it('has its process killed at each write', async () => {
    const url = proxy.through(ledger.database.url)
    // The next process starts while this one is being killed.
    let next: Promise<LedgerProcess> = startLedgerProcess(url)
    const writes = statements.flatMap((sql, index) =>
      WRITES.test(sql) ? [{ sql, index, when: 'after' as const }] : [],
    )
    const uncommitted = { sql: 'commit', index: statements.length - 1, when: 'before' as const }
    const points = [...writes, uncommitted]
    for (const { sql, index, when } of points) {
      const child = await next
      next = startLedgerProcess(url)
      await prepare()
      const before = await standing()
      const struck = proxy.strike({ matches: () => true, nth: index + 1, when, hook: child.kill })
      child.tell({ do: 'finalize' })
      expect(await struck).toBe(sql)
      await goesOn(before, when === 'after' && sql === 'commit')
    }
    await (await next).kill()
  }, 120_000)
})
