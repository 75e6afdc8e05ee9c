// Conditions put together: Kysely joins pieces, these know what none of them means.
import { sql } from 'kysely'
import type { Sql } from './statement.ts'

/** True of every row; the very object tells that there is no condition. */
export const ALWAYS: Sql = sql`true`

export const and = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? ALWAYS : sql`(${sql.join([...pieces], sql` AND `)})`

export const or = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? sql`false` : sql`(${sql.join([...pieces], sql` OR `)})`
