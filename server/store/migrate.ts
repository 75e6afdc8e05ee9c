// Brings the schema up to date: forward only, all or nothing, and never from a schema that this version cannot read.
// Of servers that start together, only the one that holds the lock does it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { MigrationStep } from './migration.ts'
import { MIGRATIONS } from './migrations/in_order.ts'
import { withSession } from './session.ts'

interface MigrateOptions {
  /** The migrations of this version. */
  readonly version: string
  /** Gets a line from time to time during a long migration. */
  readonly tell?: (line: string) => void
  /** Milliseconds between two lines about a migration that takes its time. */
  readonly tellEveryMs?: number
  /** For tests: the migrations of another version. */
  readonly migrations?: readonly MigrationStep[]
}

const TELL_EVERY_MS = 5_000
const WORTH_TELLING_MS = 1_000

/**
 * Call it with the session that holds the migration lock. Everything runs in one transaction, so a crash leaves the
 * old schema, and the previous version still works with it.
 * @returns the names of the applied migrations
 * @throws an Error that says what to do when the schema is newer or was made in another way
 */
export async function migrate(
  session: Client,
  { version, tell = () => undefined, tellEveryMs = TELL_EVERY_MS, migrations = MIGRATIONS }: MigrateOptions,
): Promise<string[]> {
  await session.query('BEGIN')
  try {
    const known = await appliedSteps(session)
    checkKnown(known, { migrations, version })
    const pending = migrations.slice(known.length)
    await applyAll(session, pending, version, { tell, tellEveryMs })
    // Commit point: before it the schema is unchanged.
    await session.query('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Databases from before the first release lack the columns after the name. */
interface AppliedStep {
  readonly name: string
  readonly checksum?: string
  readonly product_version?: string
}

/** The applied migrations, in order, with the version that applied them. */
export const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS migrations (
    position integer PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    checksum text COLLATE "C" NOT NULL,
    product_version text COLLATE "C" NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    duration_ms integer NOT NULL
  )`

async function appliedSteps(session: Client): Promise<AppliedStep[]> {
  await session.query(MIGRATIONS_TABLE)
  const { rows } = await session.query<{ step: AppliedStep & { position?: number } }>(
    'SELECT to_jsonb(migrations) AS step FROM migrations',
  )
  return rows.map(({ step }) => step).toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
}

/** The applied migrations must be the first ones of our list, in the same order. */
function checkKnown(
  known: readonly AppliedStep[],
  { migrations, version }: { readonly migrations: readonly MigrationStep[]; readonly version: string },
): void {
  for (const [index, { name, checksum, product_version: by }] of known.entries()) {
    const ours = migrations[index]
    if (ours?.name === name && ours.checksum === checksum) continue
    if (by === undefined || by === version) throw new Error(developmentState(name, version))
    if (!migrations.some((one) => one.name === name)) {
      const newest = known.at(-1)?.product_version ?? by
      throw new Error(
        `The database's schema was made by Pharos ${newest} (${name}), and this is Pharos ${version}, which does not ` +
          `know it. Nothing was changed. Start Pharos ${newest} or a later one, or restore a backup from before the upgrade.`,
      )
    }
    throw new Error(
      `The database's schema was made by Pharos ${by} with another ${name} than the one of this Pharos ${version}. Nothing ` +
        'was changed. What was released never changes, so one of the two is no release: start the Pharos that made ' +
        'the database, or restore a backup that a release made.',
    )
  }
}

const developmentState = (name: string, version: string): string =>
  `The database was made by a development state of Pharos ${version} with another schema (${name}), which cannot be ` +
  'upgraded. Nothing was changed. Begin with an empty one: set DATA_DIR to another folder, or DATABASE_URL to an empty database.'

/** Notices that a migration raises are reported too. */
async function applyAll(
  session: Client,
  pending: readonly MigrationStep[],
  version: string,
  { tell, tellEveryMs }: Required<Pick<MigrateOptions, 'tell' | 'tellEveryMs'>>,
): Promise<void> {
  const began = performance.now()
  let at = { number: 0, name: '', statement: 0, of: 0 }
  const seconds = () => Math.round((performance.now() - began) / 1_000)
  const report = () =>
    tell(
      `Upgrading the database: ${at.name} (${at.number} of ${pending.length}), statement ${at.statement} of ${at.of}, for ${seconds()} s ...`,
    )
  const onNotice = ({ message }: { readonly message?: string | undefined }) => tell(`${at.name}: ${message}`)
  const timer = setInterval(report, tellEveryMs)
  session.on('notice', onNotice)
  try {
    for (const [index, { name, statements, checksum }] of pending.entries()) {
      const stepBegan = performance.now()
      for (const [statement, text] of statements.entries()) {
        at = { number: index + 1, name, statement: statement + 1, of: statements.length }
        await session.query(text)
      }
      await session.query(
        `INSERT INTO migrations (position, name, checksum, product_version, duration_ms)
         SELECT count(*) + 1, $1, $2, $3, $4 FROM migrations`,
        [name, checksum, version, Math.round(performance.now() - stepBegan)],
      )
    }
  } finally {
    clearInterval(timer)
    session.off('notice', onNotice)
  }
  if (performance.now() - began > WORTH_TELLING_MS)
    tell(`The database is upgraded to Pharos ${version} (${seconds()} s).`)
}

/** One lock number for the whole database, different from that of the ledger. */
const MIGRATION_LOCK = 7_205_001

const TRY_AGAIN_MS = 200

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
export function underMigrationLock<T>(
  url: string,
  work: (session: Client) => Promise<T>,
  tell: (line: string) => void = () => undefined,
): Promise<T> {
  const config = { connectionTimeoutMillis: 10_000, keepAlive: true, application_name: 'pharos migrate' }
  return withSession(
    url,
    async (session) => {
      await session.query(SESSION)
      await takeLock(session, tell)
      return work(session)
    },
    config,
  )
}

async function takeLock(session: Client, tell: (line: string) => void): Promise<void> {
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

async function holder(session: Client): Promise<string> {
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
