// Which columns of a row are read: the heavy ones only where their fields are shown, and then their bytes count.
import type { Ceilings } from '../kernel/ceilings.ts'
import { REFUSALS, type Refusal, refuse } from '../kernel/refusal.ts'
import { join, literal, type Sql, sql } from '../store/sql_text.ts'
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

/** The SELECT list of a resource's rows, and their bytes as `"bytes"`. Lengths are known without reading the values. */
export function rowColumns<Row extends object, Context>(
  { columns }: Resource<Row, Context>,
  alias: string,
  shows: Shows,
): Sql {
  if (columns === undefined) return literal(`${alias}.*, ${PLAIN_BYTES} AS "bytes"`)
  const heavy = columns.heavy.filter(shows)
  const read = [...columns.always, ...heavy].map((name) => literal(`${alias}.${name}`))
  const bytes = heavy.map((name) => literal(` + coalesce(octet_length(${alias}.${name}::text), 0)`))
  return sql`${join(read, ', ')}, ${literal(String(PLAIN_BYTES))}${join(bytes, '')} AS "bytes"`
}

/**
 * The rows of a statement up to and with the first one beyond the room: that one tells that there are more. Rows come
 * in the order of the statement.
 */
export const upToRoom = (statement: Sql, { bytes }: Pick<Room, 'bytes'>): Sql =>
  sql`SELECT * FROM (
        SELECT p.*, sum(p."bytes") OVER (ROWS UNBOUNDED PRECEDING)::float8 AS "bytes so far" FROM (${statement}) AS p
      ) AS q WHERE "bytes so far" - "bytes" <= ${bytes}`

/**
 * Takes the rows that fit out of the room; `isCut` when there are more. Of a page the first row fits always: whether it
 * can be answered is for whoever writes the answer to say. Only related rows are counted.
 */
export function takeWhatFits(
  found: readonly Readonly<Record<string, unknown>>[],
  room: Room,
  { isPage }: { readonly isPage: boolean },
): { readonly fits: number; readonly isCut: boolean } {
  let fits = 0
  for (const { bytes } of found) {
    const size = Number(bytes)
    const isFull = size > room.bytes || (!isPage && room.rows < 1)
    if (isFull && !(isPage && fits === 0)) return { fits, isCut: true }
    room.bytes = Math.max(0, room.bytes - size)
    if (!isPage) room.rows -= 1
    fits += 1
  }
  return { fits, isCut: false }
}
