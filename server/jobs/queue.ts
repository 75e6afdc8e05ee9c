// pg-boss, started with our ceilings: work that must survive a server lives in the database's own queue.
import { PgBoss } from 'pg-boss'
import type { Log } from '../kernel/log.ts'

export interface QueueOptions {
  /** A session-pinned address: the queue listens for notices on it. */
  readonly url: string
  readonly log: Log
}

/** Its schema is made and migrated by pg-boss itself, under its own lock. */
export async function startQueue({ url, log }: QueueOptions): Promise<PgBoss> {
  const queue = new PgBoss({
    connectionString: url,
    application_name: 'pharos jobs',
    max: 3,
    connectionTimeoutMillis: 5_000,
    useListenNotify: true,
    options: '-c statement_timeout=15000',
  })
  queue.on('error', (error) => log.warn({ err: error }, 'jobs.failing'))
  await queue.start()
  return queue
}

/** Jobs under way are finished or handed back within the time; then the connections are closed. */
export const stopQueue = (queue: PgBoss, timeoutMs: number): Promise<void> =>
  queue.stop({ graceful: true, close: true, timeout: timeoutMs })
