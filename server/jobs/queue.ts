// Starts pg-boss with our limits. Its jobs are stored in the database, so they survive a crash of a server. Tells how
// old the oldest job is that nobody has taken.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Log } from '../kernel/log.ts'
import { float8 } from '../store/columns.ts'
import { row, statement } from '../store/statement.ts'
import { createRetryQueue } from './retry_webhooks.ts'

/**
 * Creates or updates the queue's schema, and the queue that every process sends to. The session must have no statement timeout, because the update may be slow.
 * `startQueue` then finds the schema ready.
 */
export async function prepareQueue(session: Client): Promise<void> {
  const queue = new PgBoss({
    db: { executeSql: (text, values) => session.query(text, values) },
    supervise: false,
    schedule: false,
  })
  queue.on('error', () => undefined)
  await queue.start()
  await createRetryQueue(queue)
  await queue.stop({ graceful: false, close: false })
}

/**
 * To stop it, call its `stop`, which waits for running jobs, hands the rest back to the queue, and closes the connections.
 * @param url keeps one session per connection, because the queue listens for notices on it
 */
export async function startQueue({ url, log }: { url: string; log: Log }): Promise<PgBoss> {
  const queue = new PgBoss({
    connectionString: url,
    application_name: 'pharos jobs',
    max: 3,
    connectionTimeoutMillis: 5_000,
    useListenNotify: true,
    // pg-boss schedules are not used. Our own loops do what happens by the clock.
    schedule: false,
    options: '-c statement_timeout=15000',
  })
  queue.on('error', (error) => log.warn({ err: error, queue: queueOf(error) }, 'jobs.failing'))
  await queue.start()
  return queue
}

/** The name of the queue, which a worker's error carries beside its message. */
const queueOf = (error: object): unknown => ('queue' in error ? error.queue : undefined)

/** Seconds that the oldest job has been due. 0 when none is. Few jobs wait, and those that are done are pruned. */
export const jobAge = async (em: EntityManager): Promise<number> => (await row(em, OLDEST)).age

/** pg-boss writes its times by the clock of the database itself. */
const OLDEST = statement(
  { age: float8 },
  sql`
  SELECT greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS age
    FROM pgboss.job WHERE state < 'active' AND start_after <= now()`,
)
