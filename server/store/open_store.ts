// Opens the database: one MikroORM with a pool whose every session has its ceilings.
import type { EntitySchema } from '@mikro-orm/core'
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'

/** Milliseconds. A statement that runs longer is ended by the server; one that gets no answer, by the client. */
const CEILINGS = { connect: 5_000, statement: 15_000, idleInTransaction: 15_000, query: 20_000 } as const

export interface StoreOptions {
  readonly url: string
  readonly poolSize: number
  readonly entities: readonly EntitySchema[]
  /** For tests: an interval such as `-1 hour` that `pharos_now()` is off by in every session of this pool. */
  readonly clockOffset?: string
}

export interface Store {
  readonly orm: MikroORM
  /** A fresh entity manager with nothing in its identity map; one per request or job. */
  readonly em: () => EntityManager
  readonly close: () => Promise<void>
}

export async function openStore({ url, poolSize, entities, clockOffset }: StoreOptions): Promise<Store> {
  const settings = [
    `-c statement_timeout=${CEILINGS.statement}`,
    `-c idle_in_transaction_session_timeout=${CEILINGS.idleInTransaction}`,
    '-c timezone=UTC',
    ...(clockOffset === undefined ? [] : [`-c pharos.clock_offset=${clockOffset.replaceAll(' ', '\\ ')}`]),
  ]
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: url,
      entities: [...entities],
      ensureDatabase: false,
      pool: { min: 0, max: poolSize },
      driverOptions: {
        connectionTimeoutMillis: CEILINGS.connect,
        query_timeout: CEILINGS.query,
        keepAlive: true,
        application_name: 'pharos',
        options: settings.join(' '),
      },
      logger: () => undefined,
    }),
  )
  return Object.freeze({ orm, em: () => orm.em.fork(), close: () => orm.close(true) })
}
