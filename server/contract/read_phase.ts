// The statements of a page. Each reads one phase of the order, which is one range of an index.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type Breathe, mapInPieces } from '../kernel/in_pieces.ts'
import type { KeysetValue } from '../kernel/keyset.ts'
import { bool, type Columns, float8 } from '../store/columns.ts'
import { type Sql, statement } from '../store/statement.ts'
import type { Query } from './expensive_reads.ts'
import {
  keyColumns,
  keyShape,
  keysetOf,
  type Phase,
  type Place,
  phasesBeyond,
  type SortKey,
} from './keyset.ts'
import type { Resource } from './resource.ts'
import { type Room, rowColumns, type Shows, takeWhatFits, withinRoom } from './row_columns.ts'

/** A row and its position in the order. */
export interface Placed<Row> {
  readonly row: Row
  readonly keyset: readonly KeysetValue[]
}

export interface Reader<Row extends object, Context> {
  /** Used only by `hydrate`. */
  readonly em: EntityManager
  readonly query: Query
  readonly resource: Resource<Row, Context>
  readonly keys: readonly SortKey[]
  /** The condition for rows that the list contains. */
  readonly listed: Sql
  readonly shows: Shows
  /** The space left in the answer. */
  readonly room: Room
  readonly breathe: Breathe
}

/**
 * The statement of one phase. Index: it needs one that starts with the columns of `listed`, followed by the keys.
 */
export const pageStatement = <Row extends object, Context>(
  { resource, keys, listed, shows }: Omit<Reader<Row, Context>, 'em' | 'query' | 'room' | 'breathe'>,
  { where, order }: Phase,
  limit: number,
  offset = 0,
): { readonly shape: Columns; readonly text: Sql } => {
  const { list, shape } = rowColumns(resource, 'r', shows)
  return {
    shape: { ...shape, ...keyShape(keys) },
    text: sql`SELECT ${list}, ${keyColumns(keys)} FROM ${sql.table(resource.table)} AS r
     WHERE ${listed} AND ${where} ORDER BY ${order} LIMIT ${limit}
     ${offset === 0 ? sql`` : sql`OFFSET ${offset}`}`,
  }
}

/** Rows in order. `isCut` is true when the next row does not fit into the room. */
export interface ReadRows<Row> {
  readonly found: readonly Placed<Row>[]
  readonly isCut: boolean
}

/**
 * Reads one phase, at most `limit` rows after skipping `offset`. It subtracts their bytes from the reader's room.
 */
export async function readPhase<Row extends object, Context>(
  reader: Reader<Row, Context>,
  phase: Phase,
  limit: number,
  offset = 0,
): Promise<ReadRows<Row>> {
  const { em, query, resource, keys, shows, room, breathe } = reader
  const { shape, text } = pageStatement(reader, phase, limit, offset)
  const isHeavy = resource.heavy?.some(shows) === true
  const read = await query(withinRoom(shape, text, isHeavy ? room : undefined))
  const { fits, isCut } = takeWhatFits(read, room, { isPage: true })
  return {
    found: await mapInPieces(
      read.slice(0, fits),
      (columns) => ({ row: resource.hydrate(em, columns), keyset: keysetOf(keys, columns) }),
      breathe,
    ),
    isCut,
  }
}

/** Reads the rows beyond a position, nearest first. */
export async function readBeyond<Row extends object, Context>(
  reader: Reader<Row, Context>,
  from: Place | undefined,
  backwards: boolean,
  limit: number,
): Promise<ReadRows<Row>> {
  const all: Placed<Row>[] = []
  for (const phase of phasesBeyond(reader.keys, from, backwards)) {
    const { found, isCut } = await readPhase(reader, phase, limit - all.length)
    for (const one of found) all.push(one)
    if (isCut) return { found: all, isCut }
    if (all.length >= limit) break
  }
  return { found: all, isCut: false }
}

/** True when a row exists beyond a position. Reads none of its columns. */
export async function isRowBeyond<Row extends object, Context>(
  { resource, query, keys, listed }: Reader<Row, Context>,
  from: Place,
  backwards: boolean,
): Promise<boolean> {
  for (const { where, order } of phasesBeyond(keys, from, backwards)) {
    const found = await query(
      statement(
        { exists: bool },
        sql`SELECT true AS exists FROM ${sql.table(resource.table)} AS r WHERE ${listed} AND ${where} ORDER BY ${order} LIMIT 1`,
      ),
    )
    if (found.length > 0) return true
  }
  return false
}

/** Counts the listed rows of a phase; with the condition `true`, all listed rows. */
export async function countRows<Row extends object, Context>(
  { query, resource, listed }: Reader<Row, Context>,
  where: Sql,
): Promise<number> {
  const [counted] = await query(
    statement(
      { total: float8 },
      sql`SELECT count(*)::float8 AS total FROM ${sql.table(resource.table)} AS r WHERE ${listed} AND ${where}`,
    ),
  )
  return Number(counted?.total)
}
