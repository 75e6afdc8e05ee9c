// A statement whose answer is late fails, and its connection is not used again. A pool ends with whatever is under way.
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FullDisk } from '../../server/store/database_errors.ts'
import { openPool } from '../../server/store/pool.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let pool: ReturnType<typeof openPool>
let db: Kysely<unknown>
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openOne()
  db = new Kysely({ dialect: pool.dialect })
})
const openOne = (): ReturnType<typeof openPool> =>
  openPool(
    { connectionString: database.url, max: 1, answerMs: 2_000, prepares: false },
    { purpose: 'test', onWaited: () => undefined, disk: new FullDisk() },
  )
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const processId = async (): Promise<number | undefined> =>
  (await sql<{ id: number }>`SELECT pg_backend_pid() AS id`.execute(db)).rows[0]?.id

describe('a late answer', () => {
  it('is an error, and the next statement has another connection', async () => {
    const first = await processId()
    await expect(sql`SELECT pg_sleep(30)`.execute(db)).rejects.toThrow('Query read timeout')
    expect(await processId()).not.toBe(first)
    expect(pool.counts()).toMatchObject({ inUse: 0, waiting: 0 })
  })

  it('does not concern a statement that is answered in time', async () => {
    const first = await processId()
    await sql`SELECT pg_sleep(0.01)`.execute(db)
    expect(await processId()).toBe(first)
  })
})

it('a pool that is closed while a connection is being made ends, and what asked for the connection fails', async () => {
  const other = new Kysely({ dialect: openOne().dialect })
  const asked = sql`SELECT 1`.execute(other)
  const told = expect(asked).rejects.toThrow('The pool was closed.')
  // The statement asks for its connection before the pool is closed.
  await new Promise((resolve) => setImmediate(resolve))
  await other.destroy()
  await told
})
