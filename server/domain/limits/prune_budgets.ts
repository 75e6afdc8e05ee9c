// Deletes subjects that were not charged for a while. Their budgets are fully refilled.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/**
 * Deletes at most `limit` rows. Call it again while it returns that many. Rows are deleted after twice the longest
 * time that a budget takes to refill. Reads the whole table, which holds minutes of traffic. Skips rows that a server
 * is leasing from.
 */
export const pruneBudgets = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM rate_budgets WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM rate_budgets WHERE at < pharos_now() - interval '2 minutes'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
