// A first start may be killed at any point. The next start prints a key that works, and nothing unexpected
// remains.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startedFolder, temporaryFolder, undoAfterEach } from '../store/embedded_support.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free_port.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { type ServerProcess, spawnServer } from '../support/server_process.ts'
import { sizeOf } from '../support/sizes.ts'

undoAfterEach()

const KILLS = sizeOf('killed_starts')

let database: TestDatabase
let dataDir: string
let running: ServerProcess | undefined
beforeEach(async () => {
  database = await emptyDatabase()
  dataDir = join(await temporaryFolder(), 'data')
})
afterEach(async () => {
  running?.kill('SIGKILL')
  await running?.ended
  running = undefined
  await database.drop()
})

const start = (settings: Record<string, string> = {}): ServerProcess => {
  running = spawnServer({
    DATABASE_URL: database.url,
    MASTER_KEY: '07'.repeat(32),
    DATA_DIR: dataDir,
    ...settings,
  })
  return running
}
const shownKey = async (): Promise<string> => {
  const text = await readFile(join(dataDir, 'first-start.txt'), 'utf8').catch(() => '')
  return /phk_\w+/.exec(text)?.[0] ?? ''
}
const ask = async (text: string, url = database.url): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
const keysIn = async (folder: string): Promise<number> =>
  (await ask('SELECT id FROM api_keys', await readFile(join(folder, 'database_url'), 'utf8'))).length
const statusOf = async (base: string, key: string): Promise<number> =>
  (await fetch(`${base}/api/json/items`, { headers: { authorization: `Bearer ${key}` } })).status
/** Must hold for every service that has started, whatever happened before. */
const expectOneKnownKey = async (base: string): Promise<void> => {
  await expect.poll(() => ask('SELECT count(*)::integer AS keys FROM api_keys')).toEqual([{ keys: 1 }])
  const key = await shownKey()
  expect(await statusOf(base, key)).toBe(200)
  expect(await ask('SELECT email FROM users WHERE email IS NOT NULL')).toEqual([
    { email: 'owner@localhost.local' },
  ])
  expect(await ask(`SELECT encode(secret_hash, 'hex') AS hash FROM api_keys`)).toEqual([
    { hash: createHash('sha256').update(key).digest('hex') },
  ])
  expect(await ask('SELECT count(*)::integer AS made FROM blocks WHERE height = 0')).toEqual([{ made: 1 }])
}

describe('the first API key', () => {
  it(`is never lost: of ${KILLS} first starts killed at ever later points, the next one shows a key that works`, {
    timeout: 600_000,
  }, async () => {
    const began = performance.now()
    await expectOneKnownKey(await start().ready)
    // A little longer than until ready, because the key is made after that.
    const whole = (performance.now() - began) * 1.1
    running?.kill('SIGKILL')
    await running?.ended
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await database.drop()
      database = await emptyDatabase()
      const first = start()
      await Promise.race([first.ended, new Promise((resolve) => setTimeout(resolve, (whole * kill) / KILLS))])
      first.kill('SIGKILL')
      await first.ended
      const next = start()
      await expectOneKnownKey(await next.ready)
      next.kill('SIGTERM')
      expect(await next.ended).toMatchObject({ code: 0 })
    }
  })

  it('is never lost with the database of our own either, which is killed with the service', {
    timeout: 600_000,
  }, async () => {
    const embedded = async (): Promise<string> => {
      running = spawnServer({ DATA_DIR: dataDir })
      return running.ready
    }
    for (const seen of ['Preparing the database', 'chain', 'answers at', 'first-start.txt']) {
      dataDir = join(await temporaryFolder(), 'data')
      // Only the first is killed while the database itself is made.
      if (seen !== 'Preparing the database') await startedFolder(dataDir)
      const first = spawnServer({ DATA_DIR: dataDir, PUBLIC_CHAINS: '' })
      running = first
      await expect.poll(() => first.said(), { interval: 5 }).toContain(seen)
      first.kill('SIGKILL')
      await first.ended
      const base = await embedded()
      await expect.poll(() => keysIn(dataDir)).toBe(1)
      expect(await statusOf(base, await shownKey())).toBe(200)
      running?.kill('SIGTERM')
      expect(await running?.ended).toMatchObject({ code: 0 })
    }
  })

  it('is shown before it counts: a first start that dies while it makes the key leaves none behind', async () => {
    // With a ledger already, and nobody who has an account.
    await database.drop()
    database = await cloneDatabase()
    const MASTER_KEY = TEST_MASTER_KEY.toString('hex')
    const holding = new pg.Client({ connectionString: database.url })
    // The insert waits for this lock, so by then the key was neither made nor printed.
    await holding.connect()
    await holding.query('BEGIN')
    await holding.query('LOCK TABLE api_keys IN SHARE MODE')
    const first = start({ MASTER_KEY })
    await first.ready
    await expect
      .poll(() =>
        ask(`SELECT 1 AS waits FROM pg_locks WHERE NOT granted AND relation = 'api_keys'::regclass`),
      )
      .toEqual([{ waits: 1 }])
    expect(await shownKey()).toBe('')
    first.kill('SIGKILL')
    await first.ended
    await holding.end()
    await expectOneKnownKey(await start({ MASTER_KEY }).ready)
  })

  it('is not made, nor anything else, when the port is in use; the next start shows it', async () => {
    const other = createServer()
    const port = String(await freePort())
    await new Promise<void>((resolve) => void other.listen(Number(port), '127.0.0.1', resolve))
    const refused = start({ PORT: port })
    expect(await refused.ended).toMatchObject({ code: 1 })
    const lines = refused
      .said()
      .split('\n')
      .filter((line) => !line.startsWith('{') && line !== '')
    expect(lines).toEqual([
      `Port ${port} of 127.0.0.1 is in use: is Pharos running already? Stop what listens there, or set PORT to another one.`,
    ])
    expect(await ask(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
    await new Promise((resolve) => other.close(resolve))
    await expectOneKnownKey(await start({ PORT: port }).ready)
  })
})
