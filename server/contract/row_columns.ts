// Which columns of a row are read: the heavy ones only where their fields are shown, and then their bytes count.
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import { REFUSALS, type Refusal, refuse } from '../kernel/refusal.ts'
import { type Columns, float8, int4 } from '../store/columns.ts'
import { RELATIONS } from '../store/database.ts'
import { type Sql, type Statement, statement } from '../store/statement.ts'
import type { Resource } from './resource.ts'

/** Whether a field will be shown. */
export type Shows = (field: string) => boolean

export const SHOWS_ALL: Shows = () => true

/** What an answer may still hold; whoever reads takes from it. */
export interface Room {
  bytes: number
  /** Related rows. */
  rows: number
}

export const roomOf = ({ response_bytes, included_rows }: Ceilings): Room => ({
  bytes: response_bytes,
  rows: included_rows,
})

/** To whoever asked for more at once than an answer holds, and for no list that could end early. */
export const responseTooLarge = (
  ceilings: Ceilings,
  detail: string = REFUSALS.response_too_large.meaning,
): Refusal =>
  refuse('response_too_large', {
    detail,
    meta: { max_bytes: ceilings.response_bytes, max_included: ceilings.included_rows },
  })

/** What a row costs beside its heavy columns, as JSON: no fixed-size fields of ours come to more. */
const PLAIN_BYTES = 1_024

/** What is read of a row: as a SELECT list, and as the columns that it yields. */
interface RowColumns {
  readonly list: Sql
  readonly shape: Columns
}

/** Of a resource's rows, with their bytes as `bytes`. Lengths are known without reading the values. */
export function rowColumns<Row extends object, Context>(
  { table, heavy }: Resource<Row, Context>,
  alias: string,
  shows: Shows,
): RowColumns {
  const all: Columns = RELATIONS[table]
  if (heavy === undefined)
    return {
      list: sql`${sql.ref(alias)}.*, ${sql.lit(PLAIN_BYTES)} AS bytes`,
      shape: { ...all, bytes: int4 },
    }
  const read = Object.entries(all).filter(([name]) => !heavy.includes(name) || shows(name))
  const refs = read.map(([name]) => sql.ref(`${alias}.${name}`))
  const weighed = heavy.filter(shows)
  const lengths = weighed.map(
    (name) => sql` + coalesce(octet_length(${sql.ref(`${alias}.${name}`)}::text), 0)`,
  )
  return {
    list: sql`${sql.join(refs)}, ${sql.lit(PLAIN_BYTES)}${sql.join(lengths, sql``)} AS bytes`,
    shape: { ...Object.fromEntries(read), bytes: int4 },
  }
}

/**
 * The rows of a statement up to and with the first one beyond the room: that one tells that there are more. Rows come
 * in the order of the statement.
 */
export const upToRoom = (rows: Sql, { bytes }: Pick<Room, 'bytes'>): Sql =>
  sql`SELECT * FROM (
        SELECT p.*, sum(p.bytes) OVER (ROWS UNBOUNDED PRECEDING)::float8 AS "bytes so far" FROM (${rows}) AS p
      ) AS q WHERE "bytes so far" - bytes <= ${bytes}`

/** A statement of rows with their bytes, of no more than the room takes where any of them is heavy. */
export const withinRoom = (shape: Columns, rows: Sql, room: Room | undefined): Statement<PageRow> =>
  room === undefined
    ? statement({ ...shape, bytes: int4 }, rows)
    : statement({ ...shape, bytes: int4, 'bytes so far': float8 }, upToRoom(rows, room))

/** Columns as the driver gives them, held against the table they are read from. */
export type PageRow = Readonly<Record<string, unknown>> & { readonly bytes: number }

/**
 * Takes the rows that fit out of the room; `isCut` when there are more. Of a page the first row fits always: whether it
 * can be answered is for whoever writes the answer to say. Only related rows are counted.
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
