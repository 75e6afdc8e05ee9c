// One real PostgreSQL for the whole run, and a template that has been started on once: every test file clones it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { entities } from '../../server/entities.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { prepareLedger } from '../../server/prepare_ledger.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStore } from '../../server/store/open_store.ts'
import { TEST_MASTER_KEY } from './master_key.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's maintenance database. */
    postgresUrl: string
    template: string
  }
}

/** Every project with databases names it; the first of them in a run starts the server for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if ('postgresUrl' in run.getProvidedContext()) return undefined
  const server = await startServer()
  const template = `template_${process.pid}`
  await maintain(server.url, `CREATE DATABASE ${template}`)
  await firstStart(databaseUrl(server.url, template))
  run.provide('postgresUrl', server.url)
  run.provide('template', template)
  return async () => {
    await maintain(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(() => undefined)
    await server.stop()
  }
}

/** Schema, queue, genesis, articles: what a service finds when it starts for the second time. */
async function firstStart(url: string): Promise<void> {
  const store = await openStore({ url, poolSize: 6, entities })
  await prepareLedger({ url, store, masterKey: masterKey(TEST_MASTER_KEY) })
  await store.close()
}

/** TEST_DATABASE_URL points at a server that is already there; otherwise one is started in a temporary folder. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) return { url: given, stop: async () => undefined }
  const path = await mkdtemp(join(tmpdir(), 'pharos-test-'))
  const folder = await openDataFolder(join(path, 'data'))
  // No test cuts the power: what the operating system has been given is kept when any process dies.
  const server = await startEmbeddedPostgres({ folder, settings: { fsync: 'off' }, log: () => undefined })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await folder.release()
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function maintain(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const databaseUrl = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href
