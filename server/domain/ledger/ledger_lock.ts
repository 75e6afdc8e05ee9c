// The one lock of the ledger: whoever extends the chain or changes its keys holds it until the transaction ends.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool } from '../../store/columns.ts'
import { change, row } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'

const LEDGER_LOCK = sql.lit(7_205_002)

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${LEDGER_LOCK})`)

const TRY_LOCK = statement({ locked: bool }, sql`SELECT pg_try_advisory_xact_lock(${LEDGER_LOCK}) AS locked`)

/** Waits for the lock (as long as the session's statement ceiling allows). */
export async function lockLedger(em: EntityManager): Promise<void> {
  await change(em, LOCK)
}

/** Takes the lock if it is free. */
export async function tryLockLedger(em: EntityManager): Promise<boolean> {
  const { locked } = await row(em, TRY_LOCK)
  return locked
}
