// A stored time as unix milliseconds in the full precision of the database.

import { sql } from 'kysely'
import type { Sql } from '../../../store/statement.ts'

/**
 * Not rounded, unlike `unix_ms`, so the audit finds a difference of half a millisecond. A double can hold
 * microseconds until the year 2255.
 */
export const exactMs = (column: string): Sql => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`
