// Pieces of SQL that many statements share: conditions, the time of the database, and whether a row is there.
import { sql } from 'kysely'
import { float8 } from './columns.ts'
import { type Sql, statement } from './statement.ts'

/** True for every row. Compared by identity to detect that there is no condition. */
export const ALWAYS: Sql = sql`true`

export const and = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? ALWAYS : sql`(${sql.join([...pieces], sql` AND `)})`

export const or = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? sql`false` : sql`(${sql.join([...pieces], sql` OR `)})`

/** Unix milliseconds. */
export const DATABASE_TIME = statement({ now_ms: float8 }, sql`SELECT unix_ms(pharos_now()) AS now_ms`)

/** The time of the statement that contains it, for the query builder. */
export const NOW = sql<Date>`pharos_now()`

/** Returns a column that every row of this kind has. @throws an Error when it is missing, which is a fault of ours */
export function presentColumn<T>(value: T | null): T {
  if (value === null) throw new Error('A column that every row of its kind has is null.')
  return value
}
