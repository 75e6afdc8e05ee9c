// Opens the database: one MikroORM for each purpose, with its own pool. Every session has the ceilings of its
// purpose.
import type { EntitySchema } from '@mikro-orm/core'
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { openPool } from './pool.ts'
import { connectionsOf, PURPOSES, type PurposeName, sessionSettings } from './purposes.ts'

/** Milliseconds. Time limit for a new connection, and for an answer beyond the statement's own ceiling. */
const CEILINGS = { connect: 5_000, answer: 5_000 } as const

export interface StoreOptions {
  readonly url: string
  /** Connections of all purposes together. Every purpose has at least one. */
  readonly poolSize: number
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
  readonly close: () => Promise<void>
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const open = (purpose: PurposeName) => openOrm(options, purpose)
  const [ledger, watch, write, work, read, expensive] = await Promise.all([
    open('ledger'),
    open('watch'),
    open('write'),
    open('work'),
    open('read'),
    open('expensive'),
  ])
  const pools: Readonly<Record<PurposeName, MikroORM>> = { ledger, watch, write, work, read, expensive }
  return Object.freeze({
    orm: write,
    em: (purpose: PurposeName = 'write') => pools[purpose].em.fork(),
    connections: (purpose: PurposeName) => connectionsOf(purpose, options.poolSize),
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close(true)))
    },
  })
}

function openOrm(
  { url, poolSize, entities, clockOffset }: StoreOptions,
  purpose: PurposeName,
): Promise<MikroORM> {
  const settings = [
    ...sessionSettings(purpose),
    ...(clockOffset === undefined ? [] : [`-c pharos.clock_offset=${clockOffset.replaceAll(' ', '\\ ')}`]),
  ]
  return MikroORM.init(
    defineConfig({
      clientUrl: url,
      entities: [...entities],
      ensureDatabase: false,
      driverOptions: openPool({
        connectionString: withoutSettings(url),
        max: connectionsOf(purpose, poolSize),
        connectionTimeoutMillis: CEILINGS.connect,
        query_timeout: PURPOSES[purpose].statementMs + CEILINGS.answer,
        keepAlive: true,
        application_name: `pharos ${purpose}`,
        options: settings.join(' '),
      }),
      logger: () => undefined,
    }),
  )
}

/** Options in the url would replace the ceilings of a session. */
function withoutSettings(url: string): string {
  const plain = new URL(url)
  for (const name of ['options', 'application_name', 'query_timeout', 'statement_timeout', 'lock_timeout'])
    plain.searchParams.delete(name)
  return plain.href
}
