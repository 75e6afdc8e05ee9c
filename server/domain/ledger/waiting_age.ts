// The items without a block, as a queue, for monitoring.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidFloor, ulidTime } from '../../../shared/proof/ulid.ts'
import { float8, nullable, text } from '../../store/columns.ts'
import { row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

/** Unix milliseconds: now, and the times of the oldest and the newest item without a block. */
export interface WaitingItems {
  readonly nowMs: number
  /** Undefined when none waits. */
  readonly oldestMs: number | undefined
  readonly newestMs: number | undefined
}

/** Index: waiting_moments_moment. */
export async function waitingItems({ em }: { em: EntityManager }): Promise<WaitingItems> {
  const { now_ms, oldest, newest } = await row(em, WAITING)
  return { nowMs: now_ms, oldestMs: timeOf(oldest), newestMs: timeOf(newest) }
}

/** Seconds that the oldest item without a block has waited. 0 when none waits. Call it with every reading. */
export type WaitingAge = (waiting: WaitingItems) => number

/**
 * The longer of two ages: by the database's clock, and by how long this process has seen the oldest or the newest item
 * wait. What was submitted while the clock was ahead, or while the chain was, has a time that is still to come, from
 * which nothing follows.
 * @param monotonic a clock in milliseconds
 */
export function watchWaiting(monotonic: () => number = () => performance.now()): WaitingAge {
  const oldest = watchTime(monotonic)
  const newest = watchTime(monotonic)
  return ({ nowMs, oldestMs, newestMs }) =>
    Math.max(oldest(oldestMs), newest(newestMs), nowMs - (oldestMs ?? nowMs)) / 1_000
}

/** Milliseconds since the first call with this time. 0 without one. */
function watchTime(monotonic: () => number): (timeMs: number | undefined) => number {
  let seen: { readonly timeMs: number; readonly at: number } | undefined
  return (timeMs) => {
    if (timeMs !== seen?.timeMs) seen = timeMs === undefined ? undefined : { timeMs, at: monotonic() }
    return seen === undefined ? 0 : monotonic() - seen.at
  }
}

/** A moment is the start of an item's id. */
const timeOf = (moment: string | null): number | undefined =>
  moment === null ? undefined : ulidTime(moment + REST)

const REST = ulidFloor(0).slice(10)

const WAITING = statement(
  { now_ms: float8, oldest: nullable(text), newest: nullable(text) },
  sql`SELECT unix_ms(pharos_now()) AS now_ms, (SELECT min(moment) FROM waiting_moments) AS oldest,
             (SELECT max(moment) FROM waiting_moments) AS newest`,
)
