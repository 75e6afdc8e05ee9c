// Opens the database: one MikroORM for each purpose, with its own pool. Every session has the ceilings of its
// purpose. MikroORM has one connection beside replicas it picks by chance, so one for all purposes cannot be.
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { repeat } from '../kernel/flow/repeat.ts'
import { bool, nullable, text } from './columns.ts'
import { FullDisk } from './database_errors.ts'
import { openPool, type PoolObserver } from './pool.ts'
import {
  connectionsOf,
  isPooled,
  PURPOSES,
  type PurposeName,
  type Share,
  sessionSettings,
  urlFor,
} from './purposes.ts'
import { rows, type Sql, statement } from './statement.ts'

/** Milliseconds. Time limit for a new connection, and for an answer beyond the statement's own ceiling. */
const CEILINGS = { connect: 5_000, answer: 5_000 } as const

export interface StoreOptions {
  /** May be that of a pooler, see `purposes.ts`. */
  readonly url: string
  /** Connections of all purposes together. Every purpose has at least one. */
  readonly poolSize: number
  /** What of them is for this process. All when absent. */
  readonly share?: Share
  /** Whether connections keep statements prepared, see `pool.ts`. They do when absent. */
  readonly prepares?: boolean
  /** For tests: an interval such as `-1 hour` that shifts `pharos_now()` in every session of this pool. */
  readonly clockOffset?: string
}

export type Store = ReturnType<typeof openStore>

type Waited = (purpose: PurposeName, ms: number) => void

export function openStore(options: StoreOptions) {
  let waited: Waited = () => undefined
  const disk = new FullDisk()
  const open = (purpose: PurposeName) =>
    openOrm(options, purpose, { disk, onWaited: (ms) => waited(purpose, ms) })
  const pools = {
    ledger: open('ledger'),
    watch: open('watch'),
    write: open('write'),
    work: open('work'),
    read: open('read'),
    expensive: open('expensive'),
  } satisfies Record<PurposeName, unknown>
  return Object.freeze({
    /** On connections of this purpose. It remembers nothing, so everybody has the same. */
    em: (purpose: PurposeName = 'write'): EntityManager => pools[purpose].em,
    /** The number of connections of a purpose. */
    connections: (purpose: PurposeName) => connectionsOf(purpose, options.poolSize, options.share),
    /** The connections of a purpose as they are now. */
    counts: (purpose: PurposeName) => pools[purpose].counts(),
    /** From now on `listener` is called with the milliseconds of each wait for a connection. It replaces the one before. */
    onWaited: (listener: Waited): void => {
      waited = listener
    },
    disk,
    close: async (): Promise<void> => {
      await Promise.all(Object.values(pools).map(({ close }) => close()))
    },
  })
}

/** One purpose, on the database that `url` names. */
function openOrm(
  { url, poolSize, share, prepares = true, clockOffset }: StoreOptions,
  purpose: PurposeName,
  observer: Omit<PoolObserver, 'purpose'>,
) {
  const settings = [
    ...sessionSettings(purpose),
    ...(clockOffset === undefined ? [] : [`-c pharos.clock_offset=${clockOffset.replaceAll(' ', '\\ ')}`]),
  ]
  const address = urlFor(purpose, url)
  const { dialect, counts } = openPool(
    {
      connectionString: withoutSettings(address),
      max: connectionsOf(purpose, poolSize, share),
      connectionTimeoutMillis: CEILINGS.connect,
      answerMs: PURPOSES[purpose].statementMs + CEILINGS.answer,
      keepAlive: true,
      application_name: `pharos ${purpose}`,
      // A pooler would refuse them. Its database for this purpose has the same ceilings.
      ...(isPooled(url) ? {} : { options: settings.join(' ') }),
      prepares,
    },
    { purpose, ...observer },
  )
  const orm = new MikroORM(
    defineConfig({
      clientUrl: address,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      ensureDatabase: false,
      driverOptions: dialect,
      logger: () => undefined,
    }),
  )
  return { em: orm.em.fork(), counts, close: () => orm.close(true) }
}

/** Options in the url would replace the ceilings of a session. */
function withoutSettings(url: string): string {
  const plain = new URL(url)
  for (const name of ['options', 'application_name', 'query_timeout', 'statement_timeout', 'lock_timeout'])
    plain.searchParams.delete(name)
  return plain.href
}

export type Replica = ReturnType<typeof openReplica>

export interface ReplicaStanding {
  /** `other`: the address leads to a database that is no standby of the primary. */
  readonly state: 'used' | 'behind' | 'away' | 'other'
  /** Milliseconds. To a second: that often it is looked at. Null while it does not answer. */
  readonly lagMs: number | null
}

/** Milliseconds. Beyond this lag lists are read from the primary. */
export const MOST_LAG_MS = 5_000
const LOOK_MS = 1_000

/** A place in the primary's log, and when it was the newest. */
interface Sample {
  readonly at: number
  readonly place: bigint
}

/**
 * The lag is measured by this process's clock: the age of the oldest place in the primary's log that the replica has
 * not reached. A primary that does not answer makes no replica old.
 */
export function openReplica({
  primary,
  onChange,
  ...options
}: Omit<StoreOptions, 'clockOffset'> & {
  readonly primary: () => EntityManager
  /** Called when the state changes, with the error of a replica that is away. */
  readonly onChange: (standing: ReplicaStanding, error?: unknown) => void
}) {
  const observer = { disk: new FullDisk(), onWaited: () => undefined }
  const read = openOrm(options, 'read', observer)
  const pools = { read, expensive: openOrm(options, 'expensive', observer) }
  let samples: readonly Sample[] = []
  let standing: ReplicaStanding = { state: 'away', lagMs: null }

  const change = (next: ReplicaStanding, error?: unknown): void => {
    const changed = next.state !== standing.state
    standing = next
    if (changed) onChange(next, error)
  }
  const look = async (): Promise<void> => {
    const [ours] = await rows(primary(), PRIMARY)
    if (ours === undefined) return
    samples = [...samples, { at: performance.now(), place: BigInt(ours.place) }]
    try {
      const [theirs] = await rows(read.em, STANDBY)
      if (theirs?.place == null || !theirs.standby || theirs.cluster !== ours.cluster)
        return change({ state: 'other', lagMs: null })
      const reached = BigInt(theirs.place)
      samples = samples.filter(({ place }) => place > reached).slice(-MOST_SAMPLES)
      const [oldest] = samples
      const lagMs = oldest === undefined ? 0 : Math.round(performance.now() - oldest.at)
      change({ state: lagMs > MOST_LAG_MS ? 'behind' : 'used', lagMs })
    } catch (error) {
      samples = samples.slice(-MOST_SAMPLES)
      change({ state: 'away', lagMs: null }, error)
    }
  }
  const looking = repeat({
    everyMs: LOOK_MS,
    firstMs: 0,
    run: look,
    onError: () => undefined,
    keepsAlive: false,
  })
  return Object.freeze({
    /** On the replica. Undefined while lists must be read from the primary. */
    em: (purpose: 'read' | 'expensive'): EntityManager | undefined =>
      standing.state === 'used' ? pools[purpose].em : undefined,
    standing: () => standing,
    close: async (): Promise<void> => {
      await looking.stop()
      await Promise.all(Object.values(pools).map(({ close }) => close()))
    },
  })
}

/** Far more than the lag that is accepted. */
const MOST_SAMPLES = 60

/** Bytes from the beginning of the log. */
const bytesUpTo = (place: string): Sql => sql`pg_wal_lsn_diff(${sql.raw(place)}, '0/0')::text`

const PRIMARY = statement(
  { cluster: text, place: text },
  sql`SELECT (pg_control_system()).system_identifier::text AS cluster, ${bytesUpTo('pg_current_wal_lsn()')} AS place`,
)

const STANDBY = statement(
  { cluster: text, standby: bool, place: nullable(text) },
  sql`SELECT (pg_control_system()).system_identifier::text AS cluster, pg_is_in_recovery() AS standby,
             ${bytesUpTo('pg_last_wal_replay_lsn()')} AS place`,
)
