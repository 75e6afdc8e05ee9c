// The only clock: the database's.
import type { EntityManager } from '@mikro-orm/postgresql'
import { row } from '../../store/rows.ts'

/** Unix milliseconds. */
export async function databaseTime({ em }: { em: EntityManager }): Promise<number> {
  const { now_ms } = await row<{ now_ms: number }>(em, 'SELECT unix_ms(pharos_now()) AS now_ms')
  return now_ms
}
