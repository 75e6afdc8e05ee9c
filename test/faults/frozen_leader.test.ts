// A server that is frozen while it makes a block (SIGSTOP, a paused machine) does not block the chain.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { hold, somebodyWaits } from '../domain/ledger/until.ts'
import { eventually } from '../support/http.ts'
import { row, rows } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'
import { type LedgerProcess, startLedgerProcess } from './start_ledger_process.ts'

const ledger = testLedger()
let leader: LedgerProcess
beforeAll(async () => {
  leader = await startLedgerProcess(ledger.database.url)
})
afterAll(() => leader.kill())

/** The session that holds the ledger's lock. */
const holder = async (): Promise<number | undefined> => {
  const [found] = await ledger.database.query<{ pid: number }>(
    `SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.objid = 7205002 AND a.datname = current_database()
        AND a.application_name = 'pharos ledger'`,
  )
  return found?.pid
}

/** Freezes the leader while it waits for a lock of the test's to insert a block, and then releases that lock. */
async function freezeWithLock(): Promise<number | undefined> {
  const inserts = await hold(ledger.store.em(), (tx) =>
    rows(tx, 'LOCK TABLE blocks IN SHARE ROW EXCLUSIVE MODE'),
  )
  leader.tell({ do: 'finalize until told' })
  await somebodyWaits(ledger.store.em())
  leader.freeze()
  const pid = await holder()
  await inserts.commit()
  return pid
}

it('another server makes the next block within a few seconds, and the one that slept harms nothing', async () => {
  leader.tell({ do: 'finalize until told' })
  const pid = await freezeWithLock()
  expect(pid).toBeDefined()
  // A session may be idle for a few seconds. A frozen server would hold the lock for ever.
  await eventually(async () => {
    const made = await finalizeBlock({ ...ledger, em: ledger.store.em('ledger') }, { intervalMs: 1 })
    return made.outcome === 'finalized' || undefined
  })
  expect(await holder()).not.toBe(pid)
  leader.thaw()
  // One chain, whatever the frozen server tried after it continued.
  expect(
    await row(
      ledger.store.em(),
      'SELECT count(*) = max(height) + 1 AND count(DISTINCT previous_block_hash) = count(*) AS whole FROM blocks',
    ),
  ).toEqual({ whole: true })
})
