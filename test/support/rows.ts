// Direct database access for tests: text with `$1` …, and rows whose shape the test checks itself.
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'

/** Rows as the driver returns them. `Row` is not checked: the test states it and checks the values. */
export async function rows<Row>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
  return result.rows
}

/** As `rows`, for statements that return exactly one row. */
export async function row<Row>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row> {
  const [first] = await rows<Row>(em, text, parameters)
  if (first === undefined) throw new Error(`The statement yields no row: ${text.slice(0, 80)}`)
  return first
}

/** Runs one statement and returns the number of changed rows. */
export async function change(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const result = await em.getKysely().executeQuery(CompiledQuery.raw(text, [...parameters]))
  return Number(result.numAffectedRows ?? 0)
}
