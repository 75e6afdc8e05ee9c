// The one lock of the development chain: whoever changes it holds the lock until the transaction ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction, rows } from '../store/rows.ts'

const DEVELOPMENT_CHAIN_LOCK = 7_205_003

/** Any number of servers share the chain; its writers take turns, so each sees the chain as the last one left it. */
export const underChainLock = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(em, async (inside) => {
    await rows(inside, 'SELECT pg_advisory_xact_lock($1)', [DEVELOPMENT_CHAIN_LOCK])
    return work(inside)
  })
