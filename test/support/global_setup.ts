// One real PostgreSQL for the whole run, and a migrated template that every test file clones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import manifest from '../../package.json' with { type: 'json' }
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { migrate } from '../../server/store/migrate.ts'
import { underMigrationLock } from '../../server/store/migration_lock.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's maintenance database. */
    postgresUrl: string
    template: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const template = `template_${process.pid}`
  await maintain(server.url, `CREATE DATABASE ${template}`)
  await underMigrationLock(databaseUrl(server.url, template), (session) =>
    migrate(session, { version: manifest.version }),
  )
  project.provide('postgresUrl', server.url)
  project.provide('template', template)
  return async () => {
    await maintain(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(() => undefined)
    await server.stop()
  }
}

/** TEST_DATABASE_URL points at a server that is already there; otherwise one is started in a temporary folder. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) return { url: given, stop: async () => undefined }
  const path = await mkdtemp(join(tmpdir(), 'pharos-test-'))
  const folder = await openDataFolder(join(path, 'data'))
  const server = await startEmbeddedPostgres({ folder, log: () => undefined })
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
