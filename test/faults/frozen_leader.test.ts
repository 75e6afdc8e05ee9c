// A server that is frozen while it makes a block (SIGSTOP, a paused machine) does not block the chain.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { openTestLedger, type TestLedger } from '../support/ledger.ts'
import { row } from '../support/rows.ts'
import { type LedgerProcess, startLedgerProcess } from './start_ledger_process.ts'

let ledger: TestLedger
let leader: LedgerProcess
beforeAll(async () => {
  ledger = await openTestLedger()
  leader = await startLedgerProcess(ledger.database.url)
})
afterAll(async () => {
  await leader.kill()
  await ledger.close()
})

/** The session that holds the ledger's lock, and since when it is idle. */
const holder = () =>
  ledger.database
    .maintain(
      `SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'advisory' AND l.granted AND l.objid = 7205002 AND a.datname = $1
          AND a.application_name = 'pharos ledger'`,
      [new URL(ledger.database.url).pathname.slice(1)],
    )
    .then(({ rows }) => rows[0]?.pid as number | undefined)

/** Resolves when the leader is frozen while it holds the lock. Rejects when it has ended. */
async function freezeWithLock(): Promise<number> {
  let ended: unknown
  leader.done.catch((error: unknown) => {
    ended = error
  })
  while (ended === undefined) {
    leader.freeze()
    const [before, after] = [await holder(), await holder()]
    if (before !== undefined && before === after) return before
    leader.thaw()
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw ended
}

it('another server makes the next block within a few seconds, and the one that slept harms nothing', async () => {
  leader.tell({ do: 'finalize until told' })
  const pid = await freezeWithLock()
  const began = performance.now()
  for (;;) {
    const made = await finalizeBlock({ ...ledger, em: ledger.store.em('ledger') }, { intervalMs: 1 })
    if (made.outcome === 'finalized') break
    // The few seconds that a session may be idle, and what a busy machine adds. A frozen server would hold it for ever.
    expect(performance.now() - began, 'the lock is still held').toBeLessThan(60_000)
  }
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
