// The ceiling on reads that no index is sure to help: so long, and then it is the query that is at fault.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../kernel/refusal.ts'
import { isStatementTimeout } from '../store/database_faults.ts'
import { inTransaction, rows } from '../store/rows.ts'

/** Milliseconds for each statement. */
const CEILING_MS = 5_000

/** One transaction in which no statement takes longer. @throws query_too_expensive */
export async function underCeiling<T>(
  em: EntityManager,
  work: (inside: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(em, async (inside) => {
      await rows(inside, `SELECT set_config('statement_timeout', $1, true)`, [String(CEILING_MS)])
      return work(inside)
    })
  } catch (error) {
    throw isStatementTimeout(error) ? refuse('query_too_expensive') : error
  }
}
