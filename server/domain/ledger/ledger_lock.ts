// The lock of the ledger. Every transaction that adds a block or changes the keys holds it until the transaction
// ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool } from '../../store/columns.ts'
import { change, row } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'

const LEDGER_LOCK = sql.lit(7_205_002)

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${LEDGER_LOCK})`)

const TRY_LOCK = statement({ locked: bool }, sql`SELECT pg_try_advisory_xact_lock(${LEDGER_LOCK}) AS locked`)

/** Waits for the lock, at most as long as the session's statement timeout. */
export async function lockLedger(em: EntityManager): Promise<void> {
  await change(em, LOCK)
}

/** Takes the lock if it is free. Returns false at once if it is not. */
export async function tryLockLedger(em: EntityManager): Promise<boolean> {
  const { locked } = await row(em, TRY_LOCK)
  return locked
}
