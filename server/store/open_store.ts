// Opens the database: one MikroORM with a pool whose every session has its ceilings.
import type { EntitySchema } from '@mikro-orm/core'
import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { Migration0001Time } from './migrations/0001_time.ts'
import { Migration0002Accounts } from './migrations/0002_accounts.ts'
import { Migration0003Ledger } from './migrations/0003_ledger.ts'
import { Migration0004Knowledge } from './migrations/0004_knowledge.ts'
import { Migration0005Limits } from './migrations/0005_limits.ts'
import { Migration0006Publishing } from './migrations/0006_publishing.ts'
import { Migration0007Commitments } from './migrations/0007_commitments.ts'
import { Migration0008DevelopmentChain } from './migrations/0008_development_chain.ts'
import { Migration0009Webhooks } from './migrations/0009_webhooks.ts'
import { Migration0010EntropySources } from './migrations/0010_entropy_sources.ts'

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
      extensions: [Migrator],
      ensureDatabase: false,
      pool: { min: 0, max: poolSize },
      driverOptions: {
        connectionTimeoutMillis: CEILINGS.connect,
        query_timeout: CEILINGS.query,
        keepAlive: true,
        application_name: 'pharos',
        options: settings.join(' '),
      },
      migrations: {
        tableName: 'migrations',
        migrationsList: [
          Migration0001Time,
          Migration0002Accounts,
          Migration0003Ledger,
          Migration0004Knowledge,
          Migration0005Limits,
          Migration0006Publishing,
          Migration0007Commitments,
          Migration0008DevelopmentChain,
          Migration0009Webhooks,
          Migration0010EntropySources,
        ],
        snapshot: false,
        allOrNothing: true,
      },
      logger: () => undefined,
    }),
  )
  return Object.freeze({ orm, em: () => orm.em.fork(), close: () => orm.close(true) })
}
