// Combines conditions. Unlike Kysely's own functions, these accept an empty list.
import { sql } from 'kysely'
import type { Sql } from './statement.ts'

/** True for every row. Compared by identity to detect that there is no condition. */
export const ALWAYS: Sql = sql`true`

export const and = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? ALWAYS : sql`(${sql.join([...pieces], sql` AND `)})`

export const or = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? sql`false` : sql`(${sql.join([...pieces], sql` OR `)})`
