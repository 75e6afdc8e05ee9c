// Hand-written SQL on the entity manager's own connection, so that it takes part in its transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'

/**
 * Runs one statement with real bind parameters (`$1` …) and returns its rows as they come from the driver.
 * `Row` is the caller's word for what its own SELECT list yields; nothing checks it at run time.
 */
export async function rows<Row>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
  return result.rows
}

/** Like `rows`, for statements that always yield exactly one row. */
export async function row<Row>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row> {
  const [first] = await rows<Row>(em, text, parameters)
  if (first === undefined) throw new Error(`The statement yields no row: ${text.slice(0, 80)}`)
  return first
}

/** Runs one statement and answers how many rows it changed. */
export async function change(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const result = await em.getKysely().executeQuery(CompiledQuery.raw(text, [...parameters]))
  return Number(result.numAffectedRows ?? 0)
}

export { inTransaction } from './transaction.ts'
