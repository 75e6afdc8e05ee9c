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

/**
 * One transaction, READ COMMITTED; everything inside uses the manager it is given. Never await the network in it.
 * Kysely's own `transaction()` rather than MikroORM's `transactional()`: when the backend dies inside, that one loses
 * the connection's place in the pool for good, because its rollback fails before it gives the place back.
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
