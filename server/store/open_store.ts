// Opens the database: one MikroORM for each purpose, with its own pool. Every session has the ceilings of its
// purpose. MikroORM has one connection beside replicas it picks by chance, so one for all purposes cannot be.
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { FullDisk } from './full_disk.ts'
import { openPool, type PoolCounts, type PoolObserver } from './pool.ts'
import {
  connectionsOf,
  isPooled,
  PURPOSES,
  type PurposeName,
  type Share,
  sessionSettings,
  urlFor,
} from './purposes.ts'

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
    counts: (purpose: PurposeName): PoolCounts => pools[purpose].counts(),
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
export function openOrm(
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
