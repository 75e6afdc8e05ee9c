// A database for one test file: cloned from the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TYPE_OIDS } from '../../server/store/columns.ts'

export interface TestDatabase {
  readonly url: string
  /**
   * Runs a statement of the test's own as the service's role. It may take as long as it likes, because what fills a
   * table for a test is no request of the service.
   */
  readonly query: <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>
  /** The same database for a superuser, for what the service may not do. */
  readonly superuserUrl: string
  /** Runs a statement on the server's maintenance database, such as one that ends connections. */
  readonly maintain: (text: string, parameters?: unknown[]) => Promise<pg.QueryResult>
  readonly drop: () => Promise<void>
}

/** Copies files, because that takes half the time of copying pages through the log. */
export const cloneDatabase = (): Promise<TestDatabase> =>
  createDatabase(`TEMPLATE ${inject('template')} STRATEGY FILE_COPY`)

/** An empty database, as an operator provides it for a first start. */
export const emptyDatabase = (): Promise<TestDatabase> => createDatabase('')

async function createDatabase(like: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(`CREATE DATABASE ${name} OWNER ${new URL(inject('serviceUrl')).username} ${like}`)
  const url = Object.assign(new URL(inject('serviceUrl')), { pathname: `/${name}` }).href
  const pool = openPool(url)
  return {
    url,
    query: async <Row>(text: string, parameters: readonly unknown[] = []) => {
      const { rows } = await pool.query<Row & pg.QueryResultRow>(text, [...parameters])
      return rows
    },
    superuserUrl: Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href,
    maintain,
    drop: async () => {
      await pool.end()
      await maintain(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

let maintenance: pg.Pool | undefined

/** By sessions that the worker keeps for its next files, because opening one takes longer than most of what it is for. */
function maintain(text: string, parameters: unknown[] = []): Promise<pg.QueryResult> {
  if (maintenance === undefined) {
    maintenance = new pg.Pool({ connectionString: inject('postgresUrl'), max: 4, allowExitOnIdle: true })
    maintenance.on('error', () => undefined)
  }
  return maintenance.query(text, parameters)
}

/** Connects when it is used. Values are read as the service reads them. */
function openPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides()
  types.setTypeParser(TYPE_OIDS.date, (text) => text)
  const pool = new pg.Pool({ connectionString: url, max: 3, options: '-c timezone=UTC', types })
  // Tests end connections. The next statement makes another.
  pool.on('error', () => undefined)
  return pool
}
