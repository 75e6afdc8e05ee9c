// How many rows strangers may make in the tables of the authorization server, and how they are divided among them.
import { type RawBuilder, sql } from 'kysely'

const IN_ALL = 10_000
const PART = 40

/**
 * True where a network has as much as it may, which is a fortieth of what is free. So one network alone has 244 rows, the
 * more there are the less each may have, and a network that has none finds room until some 240 others have each taken
 * all that they may.
 *
 * Rows are counted as the statement finds them. Those that come together do not see each other, so at most one more for
 * each connection to the database is let in.
 */
export const isFull = (own: RawBuilder<unknown>, all: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${own} * ${sql.lit(PART)} >= ${sql.lit(IN_ALL)} - ${all}`
