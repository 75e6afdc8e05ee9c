// Keyset order: the position of a row under a sort, the SQL for all rows beyond it, and the cursor that a client gets of
// it. The id breaks ties. Cursors are authenticated, so clients cannot make their own.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type Columns, nullable, text } from '../store/columns.ts'
import { and, type Sql } from '../store/statement.ts'
import type { StoredForm } from './stored_form.ts'

export interface SortKey {
  /** The name that the client uses. */
  readonly name: string
  readonly column: string
  readonly stored: StoredForm
  readonly nullable: boolean
  readonly descending: boolean
  /**
   * True when nulls come before values in the sort's forward direction, ascending or descending.
   * False for keys without nulls.
   */
  readonly nullsFirst: boolean
}

/** Returns the same key with nulls first. */
export const nullsFirst = (key: SortKey): SortKey => ({ ...key, nullsFirst: key.nullable })

/**
 * A position in the order. The rows beyond it are read, and also the row at the position when `inclusive` is true.
 */
export interface KeysetPlace {
  readonly keyset: readonly KeysetValue[]
  readonly inclusive: boolean
}

/**
 * One query of a page. Rows whose first key is null are read in a separate phase, because one
 * index range cannot cover both.
 */
export interface Phase {
  readonly where: Sql
  readonly order: Sql
}

/** The sort as text, e.g. `-committed_at^,-id`. Cursors are valid only for the sort they were made for. */
export const sortName = (keys: readonly SortKey[]): string =>
  keys
    .map(({ name, descending, nullsFirst }) => `${descending ? '-' : ''}${name}${nullsFirst ? '^' : ''}`)
    .join(',')

/** Extra SELECT columns that hold a row's keys as text. `keysetOf` reads them. */
export const keyColumns = (keys: readonly SortKey[]): Sql =>
  sql.join(
    keys.map(
      ({ column, stored }, index) => sql`${stored.asText(sql.raw(column))} AS ${sql.ref(keyName(index))}`,
    ),
  )

export const keyName = (index: number): string => `key ${index}`

/** The column types of `keyColumns`. */
export const keyShape = (keys: readonly SortKey[]): Columns =>
  Object.fromEntries(keys.map((_, index) => [keyName(index), nullable(text)]))

/** Reads a row's keys from the columns that `keyColumns` added. A null key stays null. */
export const keysetOf = (keys: readonly SortKey[], columns: Readonly<Record<string, unknown>>) =>
  keys.map((_, index) => {
    const value = columns[keyName(index)]
    return value === null || value === undefined ? null : String(value)
  })

/** True when the values could be the result of `keysetOf` for these keys. */
export const isKeyset = (keys: readonly SortKey[], values: readonly KeysetValue[]): boolean =>
  values.length === keys.length &&
  keys.every(({ stored, nullable }, index) => {
    const value = values[index]
    return value === null ? nullable : stored.bind(value) !== undefined
  })

/**
 * One range of the order: its conditions, and the ORDER BY terms that let PostgreSQL read it from
 * an index without sorting.
 */
interface Range {
  readonly where: readonly Sql[]
  readonly terms: readonly string[]
}

/**
 * The phases that read the rows beyond `from`, in order. When `from` is undefined they read all rows. `backwards`
 * reverses the order, for the page before a cursor. Each phase is one range of an index over the keys, so PostgreSQL
 * reads no row that it then discards.
 */
export const phasesBeyond = (
  keys: readonly SortKey[],
  from: KeysetPlace | undefined,
  backwards: boolean,
): Phase[] =>
  (from === undefined ? everything(keys, backwards) : beyond(keys, from, backwards)).map(
    ({ where, terms }) => ({ where: and(where), order: sql.raw(terms.join(', ')) }),
  )

function everything(keys: readonly SortKey[], backwards: boolean): Range[] {
  const [first, ...rest] = keys
  if (first === undefined) return [{ where: [], terms: [] }]
  if (!first.nullable) return [{ where: [], terms: inOrder(keys, backwards) }]
  const present = presentRange(first, keys, backwards)
  const absent = absentRanges(first, rest, everything(rest, backwards), backwards)
  return nullsLead(first, backwards) ? [...absent, present] : [present, ...absent]
}

const presentRange = (first: SortKey, keys: readonly SortKey[], backwards: boolean): Range => ({
  where: [sql.raw(`${first.column} IS NOT NULL`)],
  terms: inOrder(keys, backwards),
})

/**
 * The ranges lexicographically after (or before) a position, nearest first: first the rows with an equal first key
 * that are beyond in the other keys, then the rows beyond in the first key.
 */
function beyond(keys: readonly SortKey[], from: KeysetPlace, backwards: boolean): Range[] {
  const [first, ...rest] = keys
  if (first === undefined) return []
  const value = from.keyset[0] ?? null
  const absent =
    first.nullable && !nullsLead(first, backwards)
      ? absentRanges(first, rest, everything(rest, backwards), backwards)
      : []
  const deeper: KeysetPlace = { keyset: from.keyset.slice(1), inclusive: from.inclusive }
  if (value === null) {
    const here = absentRanges(first, rest, beyond(rest, deeper, backwards), backwards)
    return nullsLead(first, backwards) ? [...here, presentRange(first, keys, backwards)] : here
  }
  if (rest.every((key) => !key.nullable && key.descending === first.descending)) {
    // A row comparison is one index range. It is never true for a row whose first key is null.
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

/**
 * Ranges of the rows whose first key is null. The first key still leads their ORDER BY, otherwise the planner does
 * not use the index.
 */
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

/** True when the walk meets a key's nulls before its values. */
const nullsLead = ({ nullsFirst }: SortKey, backwards: boolean): boolean => nullsFirst !== backwards

const ascends = ({ descending }: SortKey, backwards: boolean): boolean => descending === backwards

/**
 * The first key is never null within a range. It gets no NULLS FIRST or LAST, because with it the
 * planner would not use the index.
 */
const inOrder = (keys: readonly SortKey[], backwards: boolean): string[] =>
  keys.map((key, index) => {
    const nulls = key.nullable && index > 0 ? ` NULLS ${nullsLead(key, backwards) ? 'FIRST' : 'LAST'}` : ''
    return `${key.column} ${ascends(key, backwards) ? 'ASC' : 'DESC'}${nulls}`
  })

const bound = (key: SortKey, value: KeysetValue): Sql =>
  sql`${key.stored.bind(value)}${sql.raw(`::${key.stored.type}`)}`

/** One place in a sorted list: the values of the row's sort keys, with the id last. Times are unix milliseconds. */
export type KeysetValue = string | number | boolean | null

export type CursorCodec = ReturnType<typeof cursorCodec>

const TAG_BYTES = 12
const MAX_LENGTH = 4_096

/**
 * `base64url( tag(12) ‖ JSON values )`. The tag is HMAC-SHA-256 over scope and values, so the text need not contain
 * the scope.
 */
export function cursorCodec(key: Uint8Array) {
  const tagOf = (scope: string, body: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`${scope.length}:${scope}`).update(body).digest().subarray(0, TAG_BYTES)
  return Object.freeze({
    encode: (scope: string, values: readonly KeysetValue[]): string => {
      const body = Buffer.from(JSON.stringify(values))
      return Buffer.concat([tagOf(scope, body), body]).toString('base64url')
    },
    /** Returns undefined when the text is no valid cursor, or belongs to another scope (resource and sort). */
    decode: (scope: string, text: string): KeysetValue[] | undefined => {
      if (text.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      const body = bytes.subarray(TAG_BYTES)
      if (body.length === 0 || bytes.toString('base64url') !== text) return undefined
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(scope, body))) return undefined
      // The tag is valid, so these bytes were written by `encode`.
      const values: KeysetValue[] = JSON.parse(body.toString('utf8'))
      return values
    },
  })
}
