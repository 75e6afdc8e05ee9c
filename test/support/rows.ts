// What a test asks the database behind the service's back: text with `$1` …, and rows that the test judges by itself.
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'

/** Rows as the driver gives them. `Row` is the test's word for what it selects: what it expects of them is its own check. */
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
