// Checks of the database itself: that it answers, keeps what it confirms, has room for this installation, and a replica
// that follows it.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { plural } from '../../shared/cli/terminal.ts'
import { checkDatabase, checkPooler } from '../store/check_database.ts'
import { listenForNotices } from '../store/listen.ts'
import { MIGRATIONS } from '../store/migrations/in_order.ts'
import { MOST_LAG_MS } from '../store/open_store.ts'
import { urlFor } from '../store/purposes.ts'
import {
  type Check,
  type DoctorFinding,
  type Found,
  type InstalledSettings,
  inSession,
  ok,
  type Reached,
  roughly,
  warning,
  wrong,
} from './examine.ts'

export const databaseChecks = (settings: InstalledSettings, reached: Reached): readonly Check[] => {
  const { setting, url, poolerUrl } = reached
  const session = <T>(work: (client: pg.Client) => Promise<T>) => inSession(url, work)
  const standbyUrl = settings.readDatabaseUrl
  return [
    ...(poolerUrl === undefined ? [] : [{ name: 'pooler', run: () => pooler(poolerUrl) }]),
    { name: 'durability', run: () => session(durability) },
    { name: 'role', run: () => session(role) },
    { name: 'connections', run: () => session((client) => connections(client, settings)) },
    { name: 'schema', run: () => session((client) => schema(client, settings.version)) },
    { name: 'clock', run: () => session((client) => clock(client, settings.now)) },
    {
      name: 'notices',
      run: () =>
        settings.listenDatabaseUrl === undefined
          ? notices(url, url, setting)
          : notices(urlFor('watch', poolerUrl ?? url), settings.listenDatabaseUrl, 'LISTEN_DATABASE_URL'),
    },
    ...(standbyUrl === undefined ? [] : [{ name: 'replica', run: () => replica(url, standbyUrl) }]),
  ]
}

export async function reachable({ setting, url }: Reached): Promise<Found> {
  return ok(`PostgreSQL ${await checkDatabase(url, setting)} answers (${setting}).`)
}

async function pooler(url: string): Promise<Found> {
  await checkPooler(url, 'DATABASE_URL')
  return ok('The pooler has a database for every purpose, and their ceilings hold.')
}

async function durability(client: pg.Client): Promise<Found> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_level')`,
  )
  const values = new Map(rows.map(({ name, setting }) => [name, setting]))
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => values.get(name) === 'off')
  const findings: DoctorFinding[] = off.map((name) =>
    wrong(
      `${name} is off: a power cut can lose what was acknowledged, or break the database.`,
      `Set ${name} = on in the configuration of PostgreSQL, and reload it.`,
    ),
  )
  if (values.get('wal_level') === 'minimal')
    findings.push(
      warning(
        'wal_level is minimal, so there can be no standby and no backup while it runs.',
        'Set wal_level = replica.',
      ),
    )
  return findings.length > 0 ? findings : ok('What is acknowledged is on disk (fsync, synchronous_commit).')
}

async function role(client: pg.Client): Promise<Found> {
  const { rows } = await client.query<{ name: string; super: boolean }>(
    'SELECT rolname AS name, rolsuper AS super FROM pg_roles WHERE rolname = current_user',
  )
  const [own] = rows
  return own?.super === true
    ? warning(
        `The servers connect as ${own.name}, which is a superuser of PostgreSQL.`,
        'Give them a role that owns the database and is no superuser (CREATE ROLE … LOGIN; ALTER DATABASE … OWNER TO …).',
      )
    : ok(`The role ${own?.name ?? ''} is no superuser.`)
}

/** Beside the pool and what listens: the queue, and one for a command. */
const BESIDE_POOL = 4

async function connections(
  client: pg.Client,
  { connections: pool, workers }: InstalledSettings,
): Promise<Found> {
  const { rows } = await client.query<{ room: number; used: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS room,
            (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  )
  const { room = 0, used = 0 } = rows[0] ?? {}
  // Every process listens on a connection of its own; with several, one more makes the blocks.
  const needed = pool + BESIDE_POOL + (workers === 1 ? 1 : workers + 1)
  const servers = Math.floor(room / needed)
  const text = `The database has room for ${room} connections, ${used} are in use, and a server takes up to ${needed}`
  return servers < 1
    ? wrong(`${text}.`, 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.')
    : ok(`${text}: enough for ${plural(servers, 'server')}.`)
}

async function schema(client: pg.Client, version: string): Promise<Found> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  )
  if (tables[0]?.exists !== true)
    return wrong(
      'The database has no schema of Pharos.',
      'Start the server once, or check the address of the database.',
    )
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  const applied = new Set(rows.map(({ name }) => name))
  const missing = MIGRATIONS.filter(({ name }) => !applied.has(name)).length
  const unknown = rows.length - (MIGRATIONS.length - missing)
  if (unknown > 0)
    return wrong(
      `The schema is newer than this version (${version}): it has ${unknown} steps that this version does not know.`,
      'Install the version that made it.',
    )
  return missing > 0
    ? wrong(
        `The schema lacks ${missing} steps of this version (${version}).`,
        'Start one server of this version.',
      )
    : ok(`The schema is the one of this version (${version}).`)
}

const CLOCK_MS = { warning: 2_000, wrong: 60_000 } as const

async function clock(client: pg.Client, machine: () => number): Promise<Found> {
  const before = machine()
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  )
  const after = machine()
  const now = rows[0]?.now ?? 0
  const apart = now < before ? before - now : Math.max(0, now - after)
  const text = `The clocks of this machine and of the database are ${roughly(apart)} apart.`
  const advice =
    'Turn on time synchronisation (NTP) on both machines. The time of blocks is that of the database.'
  if (apart > CLOCK_MS.wrong) return wrong(text, advice)
  return apart > CLOCK_MS.warning
    ? warning(text, advice)
    : ok('The clocks of this machine and the database agree.')
}

const CHANNEL = 'pharos_doctor'
const NOTICE_MS = 3_000

/** A notice is sent as servers send them, and heard as they hear them. */
async function notices(sendUrl: string, hearUrl: string, setting: string): Promise<Found> {
  const { promise: heard, resolve, reject } = Promise.withResolvers<void>()
  const listener = listenForNotices({
    url: hearUrl,
    channels: [CHANNEL],
    onNotice: () => resolve(),
    onConnect: () => {
      inSession(sendUrl, (client) => client.query(`SELECT pg_notify('${CHANNEL}', '')`)).catch(reject)
    },
  })
  const timer = setTimeout(() => reject(new Error('late')), NOTICE_MS)
  try {
    await heard
    return ok(`A notice made the round (${setting}).`)
  } catch {
    return wrong(
      `A notice that was sent did not arrive through ${setting}.`,
      'A pooler in transaction mode breaks LISTEN: set LISTEN_DATABASE_URL to an address of the same database past it.',
    )
  } finally {
    clearTimeout(timer)
    await listener.close()
  }
}

/** Milliseconds. */
const LOOK_MS = 100

/**
 * Whether the replica is a standby of this very primary, and follows it: it has to reach what is now the newest place in
 * the primary's log. The age of its last transaction would tell nothing, because it grows while nobody writes.
 */
export async function replica(
  primaryUrl: string,
  standbyUrl: string,
  patienceMs: number = MOST_LAG_MS,
): Promise<Found> {
  const ours = await inSession(primaryUrl, async (client) => {
    const { rows } = await client.query<{ cluster: string; place: string }>(
      `SELECT (pg_control_system()).system_identifier::text AS cluster, pg_current_wal_insert_lsn()::text AS place`,
    )
    return rows[0]
  })
  return inSession(standbyUrl, async (client) => {
    const look = async () => {
      const { rows } = await client.query<{ cluster: string; standby: boolean; reached: boolean | null }>(
        `SELECT (pg_control_system()).system_identifier::text AS cluster, pg_is_in_recovery() AS standby,
                pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached`,
        [ours?.place],
      )
      return rows[0]
    }
    const since = performance.now()
    let theirs = await look()
    if (theirs?.standby !== true || theirs.cluster !== ours?.cluster)
      return warning(
        'READ_DATABASE_URL is no replica of this database, so the servers do not use it.',
        'Name a standby of the primary, or leave it unset.',
      )
    while (theirs?.reached !== true && performance.now() - since < patienceMs) {
      await wait(LOOK_MS)
      theirs = await look()
    }
    return theirs?.reached === true
      ? ok('The replica follows.')
      : warning(
          `The replica is more than ${roughly(patienceMs)} behind, so the servers read from the primary.`,
          'Look at its disk, and at the network to the primary.',
        )
  })
}
