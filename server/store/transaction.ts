// One transaction on the entity manager's connection.
import type { EntityManager } from '@mikro-orm/postgresql'

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
