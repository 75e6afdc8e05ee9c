// Bounds of the ids of items. An id begins with the time of submission, and items get their block soon after it.
import { sql } from 'kysely'
import { ulidFloor } from '../../shared/proof/ulid.ts'
import type { BoundOf } from '../contract/finds.ts'
import type { OperatorName } from '../contract/stored_form.ts'
import { and } from '../store/conditions.ts'
import type { Sql } from '../store/statement.ts'

/** Smallest id of a millisecond. Before 1970 there is none, so every id is later. */
const floorOf = (ms: number): Sql => sql`${ms < 0 ? '' : ulidFloor(ms)}::text`

type Condition = (id: Sql) => Sql

const from =
  (ms: number): Condition =>
  (id) =>
    sql`${id} >= ${floorOf(ms)}`
const before =
  (ms: number): Condition =>
  (id) =>
    sql`${id} < ${floorOf(ms)}`
const all =
  (...conditions: readonly Condition[]): Condition =>
  (id) =>
    and(conditions.map((one) => one(id)))

/** The time of submission is the time in the id. */
export const boundOfInserted: BoundOf = (operator, value) => {
  const ms = Date.parse(String(value))
  const condition = submitted(operator, ms)
  return condition === undefined ? undefined : { condition, isExact: false }
}

function submitted(operator: OperatorName, ms: number): Condition | undefined {
  switch (operator) {
    case 'eq':
      return all(from(ms), before(ms + 1))
    case 'less_than':
      return before(ms)
    case 'less_than_or_equal':
      return before(ms + 1)
    case 'greater_than':
      return from(ms + 1)
    case 'greater_than_or_equal':
      return from(ms)
    default:
      return undefined
  }
}

/** A block keeps the smallest and the largest id of its items. Index: blocks_pkey. */
export const boundOfBlock: BoundOf = (operator, value) =>
  operator === 'eq' ? { condition: heldBy(sql`id = ${value}`), isExact: false } : undefined

const heldBy =
  (block: Sql): Condition =>
  (id) =>
    sql`(${id} >= (SELECT first_item_id FROM blocks WHERE ${block})
       AND ${id} <= (SELECT last_item_id FROM blocks WHERE ${block}))`

/** No item that has a block is later than the newest block. Index: blocks_finalized_at. */
export const inBlocks: Condition = (id) =>
  sql`${id} < (SELECT ulid_floor(max(finalized_at) + interval '1 millisecond') FROM blocks)`

/**
 * Longer than any transaction that submits items: the database ends each of its few statements, and each pause between
 * them, within ten seconds.
 */
const LONGEST_SUBMISSION = sql.raw(`interval '2 minutes'`)

/**
 * An item is not older than the block before its own, unless its submission was under way when that was made. So what is
 * committed since a time has ids since that time, or is in one of the first blocks after it. Index: blocks_finalized_at.
 */
export const boundOfCommitted: BoundOf = (operator, value) => {
  const ms = Date.parse(String(value))
  const at = sql`${String(value)}::timestamptz`
  const since: Condition = (id) => sql`${id} >= least(ulid_floor(${at}), (
    SELECT min(first_item_id) FROM blocks
     WHERE finalized_at >= ${at} AND finalized_at <= coalesce((
       SELECT min(finalized_at) FROM blocks WHERE finalized_at >= ${at} + ${LONGEST_SUBMISSION}), 'infinity')))`
  switch (operator) {
    case 'eq':
      return { condition: heldBy(sql`finalized_at = ${at}`), isExact: false }
    case 'less_than':
    case 'less_than_or_equal':
      return { condition: all(before(ms + 1), inBlocks), isExact: false }
    case 'greater_than':
    case 'greater_than_or_equal':
      return { condition: all(since, inBlocks), isExact: false }
    default:
      return undefined
  }
}
