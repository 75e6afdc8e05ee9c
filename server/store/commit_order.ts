// Rows in the order of the transactions that wrote them. A reader that keeps its place in it passes nothing over, though
// many write side by side.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, text } from './columns.ts'
import { row, type Sql, statement } from './statement.ts'

/** A position between two rows: the number of a transaction, 64 bits as text, and the id of a row that it wrote. */
export interface CommitPlace {
  readonly xid: string
  readonly id: string
}

/**
 * The condition for the rows beyond a place. Rows of a running transaction, and of every transaction that began after it,
 * are held back, because the running one could still add a row with a smaller number.
 *
 * The database server counts the transactions, so a restored database contains rows with the transaction numbers of
 * another server. A row that is older than the transaction it names was restored, and is never among them, even when the
 * counter reaches its number.
 * @param xid the column with the transaction, of the table whose alias is given
 * @param place both of a place, such as `(${xid}::text::xid8, ${id})`
 */
export const committedBeyond = (
  { alias, xid, id }: { readonly alias: string; readonly xid: string; readonly id: string },
  place: Sql,
): Sql => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`)
  return sql`(${column(xid)}, ${column(id)}) > ${place} AND ${column(xid)} < pg_snapshot_xmin(pg_current_snapshot())
       AND age(${column('xmin')}) <= age(${column(xid)}::xid)`
}

/** The oldest transaction that runs: the place of a reader that wants only what comes from now on. */
export const oldestRunning = async (em: EntityManager): Promise<string> => (await row(em, OLDEST_RUNNING)).xid

const OLDEST_RUNNING = statement(
  { xid: text },
  sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid`,
)

/** Whether a transaction's number is beyond the counter of this server: its place comes from another one. */
export const isBeyondCounter = (xid: Sql): Sql => sql`${xid} > pg_snapshot_xmax(pg_current_snapshot())`

/** True for a place of another server. */
export const isElsewhere = async (em: EntityManager, { xid }: CommitPlace): Promise<boolean> =>
  (await row(em, IS_ELSEWHERE({ xid }))).elsewhere

const IS_ELSEWHERE = statement(
  { elsewhere: bool },
  ({ xid }: { xid: string }) => sql`SELECT ${isBeyondCounter(sql`${xid}::text::xid8`)} AS elsewhere`,
)
