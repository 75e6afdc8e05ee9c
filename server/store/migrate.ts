// Brings the schema up to date under a lock, so that any number of servers may start at the same moment.
import pg from 'pg'
import type { Store } from './open_store.ts'

/** One number for the whole database; the ledger's own lock is another. */
const MIGRATION_LOCK = 7_205_001

const LOCK_WAIT = '120s'

/**
 * Runs `work` while this process alone holds the migration lock. The lock lives in a session of its own: a process
 * that dies gives it back with its connection.
 */
export async function underMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'pharos migrate',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`SET lock_timeout = '${LOCK_WAIT}'`)
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await work()
  } finally {
    await client.end()
  }
}

/** Forward only. Call it under the migration lock. */
export const migrate = (store: Store): Promise<unknown> => store.orm.migrator.up()
