// A range of one index, which yields the ids of rows in order. A resource finds its rows by ranges and by bounds of
// ids, so that lists look at no other rows.
import { sql } from 'kysely'
import type { RelationName } from '../store/database.ts'
import { and, type Sql } from '../store/statement.ts'
import { type KeysetPlace, type KeysetValue, type Phase, phasesBeyond, type SortKey } from './keyset.ts'
import type { OperatorName, StoredForm } from './stored_form.ts'

export interface Range {
  readonly table: RelationName
  /** The column that contains the id of a row of the resource. */
  readonly id: string
  /** Conditions on the first columns of the index. The alias is `r`. */
  readonly where: Sql
  /** The column of the index between those and the id, and the values that are wanted. */
  readonly lead?: Lead
}

interface Lead {
  readonly column: string
  readonly stored: StoredForm
  /** As clients write them. Only a range with one value yields ids in order. */
  readonly values: readonly KeysetValue[]
}

/** A phase of a range, and its order in terms of `walkColumns`. */
export interface RangePhase extends Phase {
  readonly orderOf: (alias: string) => Sql
}

/**
 * The phases of a range beyond a place. With a lead, or an id under another name, the only key is the id.
 */
export function phasesOfRange(
  range: Range,
  keys: readonly SortKey[],
  from: KeysetPlace | undefined,
  backwards: boolean,
): RangePhase[] {
  const own = keysOf(range, keys)
  const place =
    from === undefined || range.lead === undefined
      ? from
      : { ...from, keyset: [range.lead.values[0] ?? null, ...from.keyset] }
  const ascends = own[0]?.descending === backwards
  const outer = (alias: string) =>
    own.map((key, index) => ({ ...key, column: `${alias}."${walkName(index)}"` }))
  return phasesBeyond(own, place, backwards).map((phase, index) => ({
    where: and([range.where, ...heldBeyond(range, place, ascends), phase.where]),
    order: phase.order,
    orderOf: (alias) => phasesBeyond(outer(alias), place, backwards)[index]?.order ?? sql`true`,
  }))
}

/** The SELECT list of a range: the id, and the keys that order it. */
export const walkColumns = (range: Range, keys: readonly SortKey[]): Sql =>
  sql.join([
    sql`${sql.ref(`r.${range.id}`)} AS id`,
    ...keysOf(range, keys).map((key, index) => sql`${sql.raw(key.column)} AS ${sql.ref(walkName(index))}`),
  ])

const walkName = (index: number): string => `walk ${index}`

function keysOf({ id, lead }: Range, keys: readonly SortKey[]): readonly SortKey[] {
  const own = keys.map((key) => (key.name === 'id' ? { ...key, column: `r.${id}` } : key))
  const last = own.at(-1)
  if (lead === undefined || last === undefined) return own
  return [{ ...last, name: lead.column, column: `r.${lead.column}`, stored: lead.stored }, ...own]
}

/**
 * One value is compared as a range, and the column leads the order. So no other index yields the order. With `=` the
 * planner might walk another index and filter its rows.
 */
function held({ lead }: Range): Sql[] {
  if (lead === undefined) return []
  const column = sql.ref(`r.${lead.column}`)
  const type = sql.raw(lead.stored.type)
  const values = lead.values.map((one) => lead.stored.bind(one))
  const [value] = values
  if (values.length !== 1) return [sql`${column} = ANY(${values}::${type}[])`]
  return [sql`${column} >= ${value}::${type}`, sql`${column} <= ${value}::${type}`]
}

/**
 * Beyond a place, the place itself is the bound where the walk starts. With two bounds there PostgreSQL would start at the
 * wider one, and pass over every row up to the place.
 */
function heldBeyond(range: Range, from: KeysetPlace | undefined, ascends: boolean): Sql[] {
  const [least, most] = held(range)
  if (from === undefined || least === undefined || most === undefined) return held(range)
  return [ascends ? most : least]
}

/** The ids of all rows of the ranges, in no order. */
export const idsOf = (ranges: readonly Range[]): Sql =>
  sql.join(
    ranges.map(
      (range) =>
        sql`SELECT ${sql.ref(`r.${range.id}`)} AS id FROM ${sql.table(range.table)} AS r WHERE ${and([range.where, ...held(range)])}`,
    ),
    sql` UNION ALL `,
  )

/** For a resource whose rows lists find elsewhere than by indexes of its own table, or that contains unreadable rows. */
export interface Finds<Context> {
  /** Every row of the list. */
  all(context: Context): Promise<FoundRanges>
  /** The rows with one of some values. Undefined when no index helps. */
  readonly by: Readonly<
    Record<string, (wanted: WantedValues, context: Context) => Promise<FoundRanges | undefined>>
  >
  /** Bounds of the ids of rows for which a comparison holds. Undefined when there are none. */
  readonly ids: Readonly<Record<string, BoundOf>>
  /** A field with the same order as the id, of which it is a part. */
  readonly sameOrderAsId?: string
}

/** The rows that the bound lets through are still judged. @param value as its kind binds it */
export type BoundOf = (operator: OperatorName, value: unknown) => ((id: Sql) => Sql) | undefined

/** The values that a filter asks a field for. */
export interface WantedValues {
  readonly stored: StoredForm
  /** As clients write them. */
  readonly values: readonly KeysetValue[]
  /** As their kind binds them. */
  readonly bound: readonly unknown[]
}

/** Ranges that together contain every row with some property, each once. */
export interface FoundRanges {
  readonly ranges: readonly Range[]
  /** True when each range yields ids in order. */
  readonly isOrdered: boolean
  /** True when the ranges contain no other rows of the list. */
  readonly isExact: boolean
}
