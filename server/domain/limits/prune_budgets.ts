// Forgets subjects that have not been charged for a while: their budgets are whole again.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/**
 * At most `limit` rows at a time; call it again while it answers that many. Twice the longest time a budget takes to
 * become whole. The table holds minutes of traffic, so it is read from one end to the other. Rows that a server is
 * leasing from just now are passed over.
 */
export const pruneBudgets = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM rate_budgets WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM rate_budgets WHERE at < pharos_now() - interval '2 minutes'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
