// pg-boss, started with our ceilings: work that must survive a server lives in the database's own queue.
import type { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Log } from '../kernel/log.ts'

export interface QueueOptions {
  /** A session-pinned address: the queue listens for notices on it. */
  readonly url: string
  readonly log: Log
}

/**
 * Makes the queue's schema, or brings it up to date, in a session whose statements have no ceiling. What follows finds
 * it done.
 */
export async function prepareQueue(session: Client): Promise<void> {
  const queue = new PgBoss({
    db: { executeSql: (text, values) => session.query(text, values) },
    supervise: false,
    schedule: false,
  })
  queue.on('error', () => undefined)
  await queue.start()
  await queue.stop({ graceful: false, close: false })
}

export async function startQueue({ url, log }: QueueOptions): Promise<PgBoss> {
  const queue = new PgBoss({
    connectionString: url,
    application_name: 'pharos jobs',
    max: 3,
    connectionTimeoutMillis: 5_000,
    useListenNotify: true,
    // Nothing is queued by cron words: what comes round by the clock has loops of its own.
    schedule: false,
    options: '-c statement_timeout=15000',
  })
  queue.on('error', (told) => log.warn({ err: told, queue: queueOf(told) }, 'jobs.failing'))
  await queue.start()
  return queue
}

/** What a worker's failure carries beside its message. */
const queueOf = (told: object): unknown => ('queue' in told ? told.queue : undefined)

/** Jobs under way are finished or handed back within the time; then the connections are closed. */
export const stopQueue = (queue: PgBoss, timeoutMs: number): Promise<void> =>
  queue.stop({ graceful: true, close: true, timeout: timeoutMs })
