// One real PostgreSQL for the whole run, and a template that every test file clones. One service has already
// started on the template.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { masterKey } from '../../server/kernel/sealed.ts'
import { prepareLedger } from '../../server/start/prepare_ledger.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStore } from '../../server/store/open_store.ts'
import { TEST_MASTER_KEY } from './master_key.ts'
import { isFull } from './sizes.ts'
import { makeMemoryFolder, makeTemporaryFolder } from './temporary_folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the server's maintenance database, for a superuser. */
    postgresUrl: string
    /** The same server for the role of the service, which is no superuser. */
    serviceUrl: string
    template: string
    /** A folder for a data folder that was started once and is copied from there. */
    startedRoom: string
    /** A folder for the built command line, and for what Node has compiled of it. */
    commandRoom: string
  }
}

/** Used by every project with databases. The first one in a run starts the server for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if ('postgresUrl' in run.getProvidedContext()) return undefined
  const server = await startServer()
  const template = `template_${process.pid}`
  const { superuserUrl, url } = server
  const { username } = new URL(url)
  await maintain(superuserUrl, `CREATE DATABASE ${template} OWNER ${username}`)
  // Tests fill tables without triggers and foreign keys.
  await maintain(superuserUrl, `GRANT SET ON PARAMETER session_replication_role TO ${username}`)
  await firstStart(databaseUrl(url, template))
  run.provide('postgresUrl', superuserUrl)
  run.provide('serviceUrl', url)
  run.provide('template', template)
  const startedRoom = await makeMemoryFolder('pharos-started-')
  run.provide('startedRoom', startedRoom)
  const commandRoom = await makeMemoryFolder('pharos-command-')
  run.provide('commandRoom', commandRoom)
  return async () => {
    for (const room of [startedRoom, commandRoom]) await rm(room, { recursive: true, force: true })
    await maintain(superuserUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(() => undefined)
    await server.stop()
  }
}

/** Makes schema, queue, genesis block and articles: the state after a first start. */
async function firstStart(url: string): Promise<void> {
  const store = openStore({ url, poolSize: 6 })
  await prepareLedger({
    url,
    store,
    masterKey: masterKey(TEST_MASTER_KEY),
    publicLog: { origin: 'localhost/log' },
  })
  await store.close()
}

/** Uses the server at TEST_DATABASE_URL (of a superuser), or starts one in a temporary folder. */
async function startServer(): Promise<{ url: string; superuserUrl: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) return { url: given, superuserUrl: given, stop: async () => undefined }
  // The full sizes have more data than belongs in memory.
  const path = await (isFull ? makeTemporaryFolder : makeMemoryFolder)('pharos-test-')
  const folder = await openDataFolder(join(path, 'data'))
  const server = await startEmbeddedPostgres({ folder, settings: SETTINGS, log: () => undefined })
  return {
    url: server.url,
    superuserUrl: server.superuserUrl,
    stop: async () => {
      await server.stop()
      await folder.release()
      await rm(path, { recursive: true, force: true })
    },
  }
}

const SETTINGS = {
  // Tests only kill processes. Data given to the operating system survive that.
  fsync: 'off',
  // Each session proves that it knows the password, and a run opens thousands.
  scram_iterations: '1',
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
