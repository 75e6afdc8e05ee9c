// One transaction on the entity manager's connection.
import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * READ COMMITTED; everything inside uses the manager it is given. Never await the network in it. Kysely's own
 * `transaction()` rather than MikroORM's `transactional()`: when the backend dies inside, that one loses the connection's
 * place in the pool for good, because its rollback fails before it gives the place back.
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
