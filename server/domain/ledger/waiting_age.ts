// The items without a block, as a queue, for monitoring.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidFloor, ulidTime } from '../../../shared/proof/ulid.ts'
import { float8, nullable, text } from '../../store/columns.ts'
import { row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

/** Seconds since the oldest item without a block was submitted. 0 when none waits. Index: waiting_moments_moment. */
export async function waitingItemAge({ em }: { em: EntityManager }): Promise<number> {
  const { moment, now_ms } = await row(em, OLDEST)
  // A moment is the start of an item's id.
  return moment === null ? 0 : Math.max(0, now_ms - ulidTime(moment + REST)) / 1_000
}

const REST = ulidFloor(0).slice(10)

const OLDEST = statement(
  { moment: nullable(text), now_ms: float8 },
  sql`SELECT (SELECT min(moment) FROM waiting_moments) AS moment, unix_ms(pharos_now()) AS now_ms`,
)
