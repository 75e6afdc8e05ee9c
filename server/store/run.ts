// Runs statements on the entity manager's own connection, so that they are part of its transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Statement } from './statement.ts'

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
