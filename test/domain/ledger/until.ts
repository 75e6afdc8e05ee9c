// Waiting for things to be so, and keeping a transaction open meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction } from '../../../server/store/statement.ts'
import { row } from '../../support/rows.ts'

/** Asks again and again until the answer is yes. */
export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await condition()); ) {
    if (performance.now() > deadline) throw new Error(`It never came true: ${what}.`)
    await delay(5)
  }
}

/** So many sessions of this database wait for a lock that another one holds. */
export const somebodyWaits = (em: EntityManager, least = 1): Promise<void> =>
  until(async () => {
    const { waiting } = await row<{ waiting: number }>(
      em,
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return waiting >= least
  }, `${least} sessions wait for a lock`)

export interface Held<T> {
  readonly result: T
  readonly commit: () => Promise<void>
  readonly rollBack: () => Promise<void>
}

/** Does the work in a transaction of its own and keeps it open until told. */
export async function hold<T>(em: EntityManager, work: (tx: EntityManager) => Promise<T>): Promise<Held<T>> {
  const worked = Promise.withResolvers<T>()
  const told = Promise.withResolvers<void>()
  const undone = new Error('rolled back')
  const ended = inTransaction(em, async (tx) => {
    worked.resolve(await work(tx))
    await told.promise
  })
  ended.catch((error: unknown) => worked.reject(error))
  const result = await worked.promise
  return {
    result,
    commit: async () => {
      told.resolve()
      await ended
    },
    rollBack: async () => {
      told.reject(undone)
      await ended.catch((error: unknown) => {
        if (error !== undone) throw error
      })
    },
  }
}
