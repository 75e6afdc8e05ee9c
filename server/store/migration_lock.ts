// The lock for preparing the database. Of servers that start together, only one prepares it.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** One lock number for the whole database, different from that of the ledger. */
const MIGRATION_LOCK = 7_205_001

const TRY_AGAIN_MS = 200
const TELL_EVERY_MS = 5_000

/**
 * Statements have no time limit, because a migration may take long. A frozen holder must not block the others, so the
 * database ends a session that is idle in a transaction, and with it the lock.
 */
const SESSION = `
  SELECT set_config(name, CASE WHEN name LIKE 'idle%' THEN '60s' ELSE '0' END, false) FROM pg_settings
   WHERE name IN ('statement_timeout', 'transaction_timeout', 'lock_timeout',
                  'idle_session_timeout', 'idle_in_transaction_session_timeout')`

/**
 * Runs `work` while this process alone holds the migration lock. The lock belongs to its own session, which is passed
 * to `work`. If the process dies, its connection closes and the lock is free, even in the middle of a migration.
 * @param url must bypass any pooler, because the lock belongs to the session
 * @param tell gets a line every few seconds while another process holds the lock
 */
export async function underMigrationLock<T>(
  url: string,
  work: (session: pg.Client) => Promise<T>,
  tell: (line: string) => void = () => undefined,
): Promise<T> {
  const session = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'pharos migrate',
  })
  session.on('error', () => undefined)
  await session.connect()
  try {
    await session.query(SESSION)
    await takeLock(session, tell)
    return await work(session)
  } finally {
    await session.end()
  }
}

async function takeLock(session: pg.Client, tell: (line: string) => void): Promise<void> {
  const began = performance.now()
  for (let lines = 0; ; await pause(TRY_AGAIN_MS)) {
    const { rows } = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken === true) return
    if (performance.now() - began < 1_000 + lines * TELL_EVERY_MS) continue
    lines += 1
    tell(`Another process prepares this database${await holder(session)}. Waiting for it ...`)
  }
}

async function holder(session: pg.Client): Promise<string> {
  const { rows } = await session.query<{ words: string }>(
    `SELECT format(' (from %s, connected since %s)', coalesce(host(client_addr), 'this machine'),
                   date_trunc('second', backend_start)) AS words
       FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  )
  return rows[0]?.words ?? ''
}
