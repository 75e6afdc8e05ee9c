// The lock of the development chain. Every transaction that changes the chain holds it until the transaction ends.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../store/run.ts'
import { command } from '../store/statement.ts'
import { inTransaction } from '../store/transaction.ts'

const DEVELOPMENT_CHAIN_LOCK = 7_205_003

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(DEVELOPMENT_CHAIN_LOCK)})`)

/**
 * Runs the work under the lock, in one transaction. Any number of servers share the chain, and each writer sees the
 * changes of the one before.
 */
export const underChainLock = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(em, async (inside) => {
    await change(inside, LOCK)
    return work(inside)
  })
