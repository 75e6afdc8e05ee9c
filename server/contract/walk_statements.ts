// The statements of a walk: the rows of a phase, and their number.
import { sql } from 'kysely'
import { bool, type Columns, float8 } from '../store/columns.ts'
import { ALWAYS, type Sql } from '../store/statement.ts'
import { type KeysetPlace, keyColumns, keyName, keyShape, phasesBeyond, type SortKey } from './keyset.ts'
import { idsOf, phasesOfRange, type Range, type RangePhase, walkColumns } from './range.ts'
import { type RowColumns, rowColumns, type Shows, type Tabled } from './row_columns.ts'
import type { Walk } from './walk.ts'

/** One phase of each range of a walk. */
export interface WalkPhase {
  readonly phases: readonly { readonly range: Range; readonly phase: RangePhase }[]
}

/** Several ranges are ordered by the id alone, so each has one phase. */
export function phasesOf(
  { ranges, isGathered }: Walk,
  keys: readonly SortKey[],
  from: KeysetPlace | undefined,
  backwards: boolean,
): WalkPhase[] {
  if (isGathered) {
    return phasesBeyond(keys, from, backwards).map((phase) => ({
      phases: ranges.map((range) => ({ range, phase: { ...phase, orderOf: () => phase.order } })),
    }))
  }
  const [first, ...others] = ranges
  if (first === undefined) return []
  return phasesOfRange(first, keys, from, backwards).map((phase, index) => ({
    phases: [
      { range: first, phase },
      ...others.flatMap((range) => {
        const own = phasesOfRange(range, keys, from, backwards)[index]
        return own === undefined ? [] : [{ range, phase: own }]
      }),
    ],
  }))
}

/** A part of a phase. */
export interface Part {
  /** Rows that are judged. Without a condition that judges, it is not used. */
  readonly piece: number
  readonly limit: number
  /** Rows that are skipped. */
  readonly offset?: number
}

interface Parts {
  readonly resource: Tabled
  readonly keys: readonly SortKey[]
  readonly walk: Walk
}

interface Built {
  readonly shape: Columns
  readonly text: Sql
}

/**
 * The rows of a part. When rows are judged and there are more than the piece, a last row is the mark: the first row that
 * was not judged. Index: for each range the one that its table has for it.
 */
export function rowsOf(
  parts: Parts & { readonly shows: Shows },
  phase: WalkPhase,
  { piece, limit, offset = 0 }: Part,
): Built & Pick<RowColumns, 'isLegible'> {
  const { resource, keys, walk, shows } = parts
  const { list, shape: columns, isLegible } = rowColumns(resource, 'r', shows)
  const shape = { ...columns, ...keyShape(keys) }
  const skip = offset === 0 ? sql`` : sql`OFFSET ${offset}`
  const [only] = phase.phases
  if (only === undefined) throw new Error('A walk has no range.')
  if (walk.isGathered || (walk.isOwn && walk.judged === undefined)) {
    const from = walk.isGathered ? gathered(parts, only.phase) : sql.table(resource.table)
    const where = walk.isGathered ? ALWAYS : only.phase.where
    return {
      shape,
      isLegible,
      text: sql`SELECT ${list}, ${keyColumns(keys)} FROM ${from} AS r
        WHERE ${where} ORDER BY ${only.phase.order} LIMIT ${sql.lit(limit)} ${skip}`,
    }
  }
  const { judged, listed } = walk
  const walked = judged === undefined ? ids(phase, keys, limit + offset) : ranked(phase, keys, piece + 1)
  const isMark = judged === undefined ? sql`false` : sql`w.rank > ${sql.lit(piece)}`
  return {
    shape: { ...shape, 'is mark': bool },
    isLegible,
    text: sql`SELECT ${list}, ${keyColumns(keys)}, ${isMark} AS "is mark"
      FROM ${walked} AS w ${rowOf(resource)}
      WHERE ${judged === undefined ? listed : sql`(${isMark} OR ${judged})`}
      ORDER BY ${only.phase.orderOf('w')} LIMIT ${sql.lit(limit)} ${skip}`,
  }
}

/** The number of rows of a phase, in a piece of it when they are judged. `is more` is true when there are more. */
export function countStatement(parts: Parts, phase: WalkPhase, piece: number): Built {
  const { resource, keys, walk } = parts
  const [only] = phase.phases
  if (only === undefined) throw new Error('A walk has no range.')
  const next = keys.map((_, index) => sql`max(${sql.ref(keyName(index))}) AS ${sql.ref(keyName(index))}`)
  const shape = { count: float8, 'is more': bool }
  if (walk.isGathered)
    return {
      shape,
      text: sql`SELECT count(*)::float8 AS count, false AS "is more" FROM ${gathered(parts, only.phase)} AS r`,
    }
  if (walk.judged === undefined) {
    const rows = sql`SELECT FROM ${ids(phase, keys, piece + 1)} AS w`
    return {
      shape,
      text: sql`SELECT count(*)::float8 AS count, count(*) > ${sql.lit(piece)} AS "is more" FROM (${rows}) AS rows`,
    }
  }
  return {
    shape: { ...shape, ...keyShape(keys) },
    text: sql`SELECT count(*) FILTER (WHERE NOT "is mark")::float8 AS count, coalesce(bool_or("is mark"), false) AS "is more",
             ${sql.join(next)}
        FROM (SELECT w.rank > ${sql.lit(piece)} AS "is mark",
                     ${sql.join(keys.map((key, index) => sql`CASE WHEN w.rank > ${sql.lit(piece)} THEN ${key.stored.asText(sql.raw(key.column))} END AS ${sql.ref(keyName(index))}`))}
                FROM ${ranked(phase, keys, piece + 1)} AS w ${rowOf(resource)}
               WHERE w.rank > ${sql.lit(piece)} OR ${walk.judged}) AS looked`,
  }
}

/**
 * The row of an id. The LIMIT makes the planner look rows up one by one, in the order of the walk. It cannot know how many
 * rows of a view have an id, and would otherwise join and sort.
 */
const rowOf = ({ table }: Tabled): Sql =>
  sql`CROSS JOIN LATERAL (SELECT s.* FROM ${sql.table(table)} AS s WHERE s.id = w.id LIMIT 1) AS r`

/** The ids of a phase in order, at most so many, each with its rank. */
const ranked = (phase: WalkPhase, keys: readonly SortKey[], most: number): Sql => {
  const order = phase.phases[0]?.phase.orderOf('x') ?? ALWAYS
  return sql`(SELECT x.*, row_number() OVER (ORDER BY ${order}) AS rank FROM ${ids(phase, keys, most)} AS x)`
}

function ids({ phases }: WalkPhase, keys: readonly SortKey[], most: number): Sql {
  const each = phases.map(
    ({ range, phase }) => sql`(SELECT ${walkColumns(range, keys)} FROM ${sql.table(range.table)} AS r
      WHERE ${phase.where} ORDER BY ${phase.order} LIMIT ${sql.lit(most)})`,
  )
  const [only, ...others] = each
  if (only !== undefined && others.length === 0) return only
  const order = phases[0]?.phase.orderOf('u') ?? ALWAYS
  return sql`(SELECT u.* FROM (${sql.join(each, sql` UNION ALL `)}) AS u ORDER BY ${order} LIMIT ${sql.lit(most)})`
}

/**
 * The judged rows of few ids. The array and the OFFSET keep the planner from walking an index in the order of the sort.
 */
const gathered = ({ resource, walk }: Parts, { where }: RangePhase): Sql =>
  sql`(SELECT r.* FROM ${sql.table(resource.table)} AS r
        WHERE r.id = ANY(ARRAY(${idsOf(walk.ranges)})) AND ${walk.judged ?? walk.listed} AND ${where} OFFSET 0)`
