// The jobs that nobody has taken yet, as a queue, for monitoring.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8 } from '../store/columns.ts'
import { row } from '../store/run.ts'
import { statement } from '../store/statement.ts'

/** Seconds that the oldest job has been due. 0 when none is. Few jobs wait, and those that are done are pruned. */
export const jobAge = async ({ em }: { em: EntityManager }): Promise<number> => (await row(em, OLDEST)).age

/** pg-boss writes its times by the clock of the database itself. */
const OLDEST = statement(
  { age: float8 },
  sql`
  SELECT greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS age
    FROM pgboss.job WHERE state < 'active' AND start_after <= now()`,
)
