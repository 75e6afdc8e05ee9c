// The one lock of the development chain: whoever changes it holds the lock until the transaction ends.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../store/run.ts'
import { command } from '../store/statement.ts'
import { inTransaction } from '../store/transaction.ts'

const DEVELOPMENT_CHAIN_LOCK = 7_205_003

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(DEVELOPMENT_CHAIN_LOCK)})`)

/** Any number of servers share the chain; its writers take turns, so each sees the chain as the last one left it. */
export const underChainLock = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(em, async (inside) => {
    await change(inside, LOCK)
    return work(inside)
  })
