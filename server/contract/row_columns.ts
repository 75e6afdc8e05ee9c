// Selects the columns of a row. A heavy column is read only when its field is shown, and then its bytes count.
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import { kept } from '../kernel/lru.ts'
import { REFUSALS, type Refusal, refuse } from '../kernel/refusal.ts'
import { type Columns, int4 } from '../store/columns.ts'
import { isSealed, RELATIONS } from '../store/database.ts'
import { memberName } from '../store/row_reader.ts'
import { legibleStatement, type Sql, type Statement, statement } from '../store/statement.ts'
import type { Resource } from './resource.ts'

/** Returns true when the field is shown. */
export type Shows = (field: string) => boolean

export const SHOWS_ALL: Shows = () => true

/** The space left in an answer. Every reader subtracts what it reads. */
export interface Room {
  bytes: number
  /** Number of related rows. */
  rows: number
}

/** The space of an empty answer. */
export const roomOf = ({ response_bytes, included_rows }: Ceilings): Room => ({
  bytes: response_bytes,
  rows: included_rows,
})

/** For a request that asks for more than one answer holds and is not a list that could end early. */
export const responseTooLarge = (
  ceilings: Ceilings,
  detail: string = REFUSALS.response_too_large.meaning,
): Refusal =>
  refuse('response_too_large', {
    detail,
    meta: { max_bytes: ceilings.response_bytes, max_included: ceilings.included_rows },
  })

/** The bytes that a row costs without its heavy columns. No row's fixed-size fields need more as JSON. */
const PLAIN_BYTES = 1_024

/** The columns read of a row: as a SELECT list, and with their types. */
export interface RowColumns {
  readonly list: Sql
  readonly shape: Columns
  /** See `Resource`. */
  readonly isLegible: boolean
}

/** What reading rows has to know of their resource. */
export type Tabled = Pick<Resource<object, never>, 'table' | 'heavy' | 'isLegible'>

/** By resource, and by alias and heavy columns, of which there are few. */
const KNOWN = new WeakMap<object, Map<string, RowColumns>>()

/** The columns of a resource's rows, plus `bytes`. PostgreSQL gets the lengths without reading the values. */
export function rowColumns(resource: Tabled, alias: string, shows: Shows): RowColumns {
  const heavy = (resource.heavy ?? []).filter(shows)
  const known = kept(KNOWN, resource, () => new Map<string, RowColumns>())
  return kept(known, `${alias} ${heavy.join(' ')}`, () => columnsOf(resource, alias, heavy))
}

/**
 * What is sealed is not among them, so nothing that shows rows can show it. The list is a text, because it is part of
 * almost every statement and takes long to compile from its parts.
 */
function columnsOf(
  { table, heavy = [], isLegible = false }: Tabled,
  alias: string,
  shown: readonly string[],
): RowColumns {
  const all: Columns = RELATIONS[table]
  const read = Object.entries(all).filter(
    ([name]) => !isSealed(name) && (!heavy.includes(name) || shown.includes(name)),
  )
  const named = (name: string): string => (isLegible ? memberName(name) : name)
  const refs = read.map(([name]) => `${alias}.${name} AS "${named(name)}"`)
  const lengths = shown.map((name) => ` + coalesce(octet_length(${alias}.${name}::text), 0)`)
  return {
    list: sql.raw(`${refs.join(', ')}, ${PLAIN_BYTES}${lengths.join('')} AS bytes`),
    shape: { ...Object.fromEntries(read.map(([name, column]) => [named(name), column])), bytes: int4 },
    isLegible,
  }
}

/**
 * Wraps a statement so that it returns the rows up to and including the first one beyond the room. That row shows
 * that there are more. Rows keep the order of the statement.
 */
const upToRoom = (shape: Columns, rows: Sql, { bytes }: Pick<Room, 'bytes'>): Sql =>
  sql`SELECT ${sql.raw(
    Object.keys(shape)
      .map((name) => `"${name}"`)
      .join(', '),
  )} FROM (
        SELECT p.*, sum(p.bytes) OVER (ROWS UNBOUNDED PRECEDING) AS "bytes so far" FROM (${rows}) AS p
      ) AS q WHERE "bytes so far" - bytes <= ${bytes}`

/** A statement of rows with their bytes. With a room, it returns no more rows than the room holds, plus one. */
export function withinRoom(
  { shape, isLegible }: Pick<RowColumns, 'shape' | 'isLegible'>,
  rows: Sql,
  room: Pick<Room, 'bytes'> | undefined,
): Statement<PageRow> {
  const all = { ...shape, bytes: int4 }
  const text = room === undefined ? rows : upToRoom(all, rows, room)
  return isLegible ? legibleStatement(all, text) : statement(all, text)
}

/** The driver's columns, checked against the table's definition. */
export type PageRow = Readonly<Record<string, unknown>> & { readonly bytes: number }

/**
 * Counts the rows that fit and subtracts them from the room; `isCut` is true when there are more. The first row of a
 * page always fits; the renderer decides whether it can be answered. Only related rows count against `rows`.
 */
export function takeWhatFits(
  found: readonly PageRow[],
  room: Room,
  { isPage }: { readonly isPage: boolean },
): { readonly fits: number; readonly isCut: boolean } {
  let fits = 0
  for (const { bytes } of found) {
    const isFull = bytes > room.bytes || (!isPage && room.rows < 1)
    if (isFull && !(isPage && fits === 0)) return { fits, isCut: true }
    room.bytes = Math.max(0, room.bytes - bytes)
    if (!isPage) room.rows -= 1
    fits += 1
  }
  return { fits, isCut: false }
}
