// Runs statements: those that read, those that change, and transactions.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import { command, type Sql, type Statement } from './statement.ts'

/** The query builder, for statements that it expresses well. Row types come from the tables. */
export const db = (em: EntityManager): Kysely<Database> => em.getKysely<Database>()

export async function rows<Row>(em: EntityManager, statement: Statement<Row>): Promise<readonly Row[]> {
  const answer = await em.getKysely().executeQuery(statement.compile())
  return statement.read(answer.rows)
}

/** Like `rows`, for statements that always return exactly one row. */
export async function row<Row>(em: EntityManager, statement: Statement<Row>): Promise<Row> {
  const [first] = await rows(em, statement)
  if (first === undefined)
    throw new Error(`The statement yields no row: ${statement.compile().sql.slice(0, 80)}`)
  return first
}

/** Runs one statement and returns the number of changed rows. */
export async function change(em: EntityManager, statement: Statement<never>): Promise<number> {
  const result = await em.getKysely().executeQuery(statement.compile())
  return Number(result.numAffectedRows ?? 0)
}

/** A verb that is one command on at most `limit` rows, and returns how many it changed: call it again while it is full. */
export const boundedChange = (
  build: (parameters: { limit: number }) => Sql,
): ((em: EntityManager, limit: number) => Promise<number>) => {
  const piece = command(build)
  return (em, limit) => change(em, piece({ limit }))
}

/**
 * READ COMMITTED. Everything inside must use the given entity manager. Never await the network inside. Uses Kysely's
 * `transaction()`, because MikroORM's `transactional()` loses the connection's place in the pool for good when the
 * backend dies: its rollback fails before it releases the place.
 */
export const inTransaction = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  em
    .getKysely()
    .transaction()
    .execute((transaction) => {
      const inside = em.fork({ useContext: false })
      inside.setTransactionContext(transaction)
      return work(inside)
    })
