// The database's clock is the only clock.
import type { EntityManager } from '@mikro-orm/postgresql'
import { DATABASE_TIME } from '../../store/database_time.ts'
import { row } from '../../store/run.ts'

/** Unix milliseconds. */
export async function databaseTime({ em }: { em: EntityManager }): Promise<number> {
  const { now_ms } = await row(em, DATABASE_TIME)
  return now_ms
}
