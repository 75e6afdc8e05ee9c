// The database's clock is the only clock.
import { sql } from 'kysely'
import { float8 } from './columns.ts'
import { statement } from './statement.ts'

/** Unix milliseconds. */
export const DATABASE_TIME = statement({ now_ms: float8 }, sql`SELECT unix_ms(pharos_now()) AS now_ms`)

/** The time of the statement that contains it, for the query builder. */
export const NOW = sql<Date>`pharos_now()`
