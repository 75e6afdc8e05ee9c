// A stored time as unix milliseconds with everything the database keeps of it.

import { sql } from 'kysely'
import type { Sql } from '../../../store/statement.ts'

/** Unrounded, unlike `unix_ms`: half a millisecond too much is found. A double holds microseconds until 2255. */
export const exactMs = (column: string): Sql => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`
