// The one lock of the ledger: whoever extends the chain or changes its keys holds it until the transaction ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import { row, rows } from '../../store/rows.ts'

const LEDGER_LOCK = 7_205_002

/** Waits for the lock (as long as the session's statement ceiling allows). */
export async function lockLedger(em: EntityManager): Promise<void> {
  await rows(em, 'SELECT pg_advisory_xact_lock($1)', [LEDGER_LOCK])
}

/** Takes the lock if it is free. */
export async function tryLockLedger(em: EntityManager): Promise<boolean> {
  const { locked } = await row<{ locked: boolean }>(em, 'SELECT pg_try_advisory_xact_lock($1) AS locked', [
    LEDGER_LOCK,
  ])
  return locked
}
