// Keyset order: where a row stands under a sort, and the SQL for everything beyond it. The id decides ties.
import { sql } from 'kysely'
import type { KeysetValue } from '../kernel/keyset.ts'
import { type Columns, nullable, text } from '../store/columns.ts'
import { and } from '../store/conditions.ts'
import type { Sql } from '../store/statement.ts'
import type { StoredForm } from './stored_form.ts'

export interface SortKey {
  /** As the client names it. */
  readonly name: string
  readonly column: string
  readonly stored: StoredForm
  readonly nullable: boolean
  readonly descending: boolean
  /** Where nulls stand, whichever way the sort goes; without any it says nothing. */
  readonly nullsFirst: boolean
}

/** The same key with its nulls in front. */
export const nullsFirst = (key: SortKey): SortKey => ({ ...key, nullsFirst: key.nullable })

/** A place in the order: beyond it, or from it on when the row that stands there belongs to the page itself. */
export interface Place {
  readonly keyset: readonly KeysetValue[]
  readonly inclusive: boolean
}

/** One query of a page: rows with and without a first key are read apart, because one index range cannot hold both. */
export interface Phase {
  readonly where: Sql
  readonly order: Sql
}

/** The sort as text, e.g. `-committed_at^,-id`; cursors are bound to it. */
export const sortName = (keys: readonly SortKey[]): string =>
  keys
    .map(({ name, descending, nullsFirst }) => `${descending ? '-' : ''}${name}${nullsFirst ? '^' : ''}`)
    .join(',')

/** Extra columns of a SELECT that hold a row's keys as text; `keysetOf` reads them back. */
export const keyColumns = (keys: readonly SortKey[]): Sql =>
  sql.join(
    keys.map(
      ({ column, stored }, index) => sql`${stored.asText(sql.raw(column))} AS ${sql.ref(keyName(index))}`,
    ),
  )

const keyName = (index: number): string => `key ${index}`

/** What `keyColumns` yields. */
export const keyShape = (keys: readonly SortKey[]): Columns =>
  Object.fromEntries(keys.map((_, index) => [keyName(index), nullable(text)]))

export const keysetOf = (
  keys: readonly SortKey[],
  columns: Readonly<Record<string, unknown>>,
): KeysetValue[] =>
  keys.map((_, index) => {
    const value = columns[keyName(index)]
    return value === null || value === undefined ? null : String(value)
  })

/** True when the values could have come from `keysetOf` under these keys. */
export const isKeyset = (keys: readonly SortKey[], values: readonly KeysetValue[]): boolean =>
  values.length === keys.length &&
  keys.every(({ stored, nullable }, index) => {
    const value = values[index]
    return value === null ? nullable : stored.bind(value) !== undefined
  })

/** One range of the order: its conditions, and the ORDER BY terms under which an index over the keys yields it as it lies. */
interface Range {
  readonly where: readonly Sql[]
  readonly terms: readonly string[]
}

/**
 * What to read, phase after phase, for the rows beyond `from` (all rows when undefined), backwards when a page before
 * a cursor is wanted. Each phase is one range of an index over the keys: nothing in it is read to be thrown away.
 */
export const phasesBeyond = (
  keys: readonly SortKey[],
  from: Place | undefined,
  backwards: boolean,
): Phase[] =>
  (from === undefined ? everything(keys, backwards) : beyond(keys, from, backwards)).map(
    ({ where, terms }) => ({ where: and(where), order: sql.raw(terms.join(', ')) }),
  )

function everything(keys: readonly SortKey[], backwards: boolean): Range[] {
  const [first, ...rest] = keys
  if (first === undefined) return [{ where: [], terms: [] }]
  if (!first.nullable) return [{ where: [], terms: inOrder(keys, backwards) }]
  const present = {
    where: [sql.raw(`${first.column} IS NOT NULL`)],
    terms: inOrder(keys, backwards),
  }
  const absent = absentRanges(first, rest, everything(rest, backwards), backwards)
  return nullsLead(first, backwards) ? [...absent, present] : [present, ...absent]
}

/** Lexicographic "after" (or "before"), nearest first: equal in the first key and beyond in the rest, then beyond in the first. */
function beyond(keys: readonly SortKey[], from: Place, backwards: boolean): Range[] {
  const [first, ...rest] = keys
  if (first === undefined) return []
  const value = from.keyset[0] ?? null
  const absent =
    first.nullable && !nullsLead(first, backwards)
      ? absentRanges(first, rest, everything(rest, backwards), backwards)
      : []
  const deeper: Place = { keyset: from.keyset.slice(1), inclusive: from.inclusive }
  if (value === null) {
    const here = absentRanges(first, rest, beyond(rest, deeper, backwards), backwards)
    const present = {
      where: [sql.raw(`${first.column} IS NOT NULL`)],
      terms: inOrder(keys, backwards),
    }
    return nullsLead(first, backwards) ? [...here, present] : here
  }
  if (rest.every((key) => !key.nullable && key.descending === first.descending)) {
    // A row comparison is one index range, and never true of a row without the first key.
    const columns = sql.raw(keys.map(({ column }) => column).join(', '))
    const values = sql.join(keys.map((key, index) => bound(key, from.keyset[index] ?? null)))
    const operator = sql.raw(`${ascends(first, backwards) ? '>' : '<'}${from.inclusive ? '=' : ''}`)
    return [
      { where: [sql`(${columns}) ${operator} (${values})`], terms: inOrder(keys, backwards) },
      ...absent,
    ]
  }
  const column = sql.raw(first.column)
  const equal = sql`${column} = ${bound(first, value)}`
  const past = sql`${column} ${sql.raw(ascends(first, backwards) ? '>' : '<')} ${bound(first, value)}`
  return [
    ...beyond(rest, deeper, backwards).map(({ where, terms }) => ({ where: [equal, ...where], terms })),
    { where: [past], terms: inOrder(keys, backwards) },
    ...absent,
  ]
}

/** Ranges among the rows without the first key. It leads their order all the same, or no index would be seen to have it. */
function absentRanges(
  first: SortKey,
  rest: readonly SortKey[],
  ranges: readonly Range[],
  backwards: boolean,
): Range[] {
  const [next] = rest
  const lead = `${first.column} ${next === undefined || ascends(next, backwards) ? 'ASC' : 'DESC'}`
  return ranges.map(({ where, terms }) => ({
    where: [sql.raw(`${first.column} IS NULL`), ...where],
    terms: [lead, ...terms],
  }))
}

/** True when the nulls of a key are met before its values. */
const nullsLead = ({ nullsFirst }: SortKey, backwards: boolean): boolean => nullsFirst !== backwards

const ascends = ({ descending }: SortKey, backwards: boolean): boolean => descending === backwards

/** The first key is never null within a range, and naming the place of its nulls would keep the index from being used. */
const inOrder = (keys: readonly SortKey[], backwards: boolean): string[] =>
  keys.map((key, index) => {
    const nulls = key.nullable && index > 0 ? ` NULLS ${nullsLead(key, backwards) ? 'FIRST' : 'LAST'}` : ''
    return `${key.column} ${ascends(key, backwards) ? 'ASC' : 'DESC'}${nulls}`
  })

const bound = (key: SortKey, value: KeysetValue): Sql =>
  sql`${key.stored.bind(value)}${sql.raw(`::${key.stored.type}`)}`
