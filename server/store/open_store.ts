// Opens the database: one MikroORM for each purpose, with its own pool. Every session has the ceilings of its
// purpose.
import type { EntitySchema } from '@mikro-orm/core'
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { FullDisk } from './full_disk.ts'
import { type OpenPool, openPool, type PoolCounts, type PoolObserver } from './pool.ts'
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
  readonly entities: readonly EntitySchema[]
  /** For tests: an interval such as `-1 hour` that shifts `pharos_now()` in every session of this pool. */
  readonly clockOffset?: string
}

export interface Store {
  /** The one with the purpose `write`. */
  readonly orm: MikroORM
  /** A new entity manager with an empty identity map, on connections of this purpose. Use one per request or job. */
  readonly em: (purpose?: PurposeName) => EntityManager
  /** The number of connections of a purpose. */
  readonly connections: (purpose: PurposeName) => number
  /** The connections of a purpose as they are now. */
  readonly counts: (purpose: PurposeName) => PoolCounts
  /** From now on `listener` is called with the milliseconds of each wait for a connection. It replaces the one before. */
  readonly onWaited: (listener: Waited) => void
  readonly disk: Pick<FullDisk, 'isFull' | 'hear'>
  readonly close: () => Promise<void>
}

type Waited = (purpose: PurposeName, ms: number) => void

export async function openStore(options: StoreOptions): Promise<Store> {
  let waited: Waited = () => undefined
  const disk = new FullDisk()
  const open = (purpose: PurposeName) =>
    openOrm(options, purpose, { disk, onWaited: (ms) => waited(purpose, ms) })
  const [ledger, watch, write, work, read, expensive] = await Promise.all([
    open('ledger'),
    open('watch'),
    open('write'),
    open('work'),
    open('read'),
    open('expensive'),
  ])
  const pools: Readonly<Record<PurposeName, Opened>> = { ledger, watch, write, work, read, expensive }
  return Object.freeze({
    orm: write.orm,
    em: (purpose: PurposeName = 'write') => pools[purpose].orm.em.fork(),
    connections: (purpose: PurposeName) => connectionsOf(purpose, options.poolSize, options.share),
    counts: (purpose: PurposeName) => pools[purpose].pool.counts(),
    onWaited: (listener: Waited) => {
      waited = listener
    },
    disk,
    close: async () => {
      await Promise.all(Object.values(pools).map(({ orm }) => orm.close(true)))
    },
  })
}

interface Opened {
  readonly orm: MikroORM
  readonly pool: OpenPool
}

/** One purpose, on the database that `url` names. */
export async function openOrm(
  { url, poolSize, share, prepares = true, entities, clockOffset }: StoreOptions,
  purpose: PurposeName,
  observer: Omit<PoolObserver, 'purpose'>,
): Promise<Opened> {
  const settings = [
    ...sessionSettings(purpose),
    ...(clockOffset === undefined ? [] : [`-c pharos.clock_offset=${clockOffset.replaceAll(' ', '\\ ')}`]),
  ]
  const address = urlFor(purpose, url)
  const pool = openPool(
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
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: address,
      entities: [...entities],
      ensureDatabase: false,
      driverOptions: pool.dialect,
      logger: () => undefined,
    }),
  )
  return { orm, pool }
}

/** Options in the url would replace the ceilings of a session. */
function withoutSettings(url: string): string {
  const plain = new URL(url)
  for (const name of ['options', 'application_name', 'query_timeout', 'statement_timeout', 'lock_timeout'])
    plain.searchParams.delete(name)
  return plain.href
}
