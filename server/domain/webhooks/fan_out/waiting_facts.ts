// The facts that are not deliveries yet, as a queue, for monitoring.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8 } from '../../../store/columns.ts'
import { row } from '../../../store/run.ts'
import { statement } from '../../../store/statement.ts'

/** Seconds since the oldest fact that waits. 0 when none does. Indexes: webhook_facts_pkey, facts_pkey. */
export const waitingFactAge = async (em: EntityManager): Promise<number> => (await row(em, OLDEST)).age

const OLDEST = statement(
  { age: float8 },
  sql`
  SELECT greatest(0, extract(epoch FROM pharos_now() - (
           SELECT at FROM facts WHERE id = (SELECT min(fact_id) FROM webhook_facts))))::float8 AS age`,
)
