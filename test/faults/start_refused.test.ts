// A start that cannot succeed says in one line why and what to do, creates nothing, and exits with an error.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeService, type Opened, startService } from '../../server/service/start_service.ts'
import { readConfig } from '../../server/settings/read_settings.ts'
import { explainError } from '../../server/start/explain_error.ts'
import { startedFolder, temporaryFolder, undoAfterEach } from '../store/embedded_support.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { QUIET, runCommand, type ServerProcess, spawnServer } from '../support/server_process.ts'

undoAfterEach()

const KEY = '07'.repeat(32)
const OTHER_KEY = '08'.repeat(32)

let database: TestDatabase
let dataDir: string
const running = new Set<ServerProcess>()
const startedHere = new Set<Opened>()
beforeEach(async () => {
  database = await emptyDatabase()
  dataDir = join(await temporaryFolder(), 'data')
})
afterEach(async () => {
  for (const one of running) {
    one.kill('SIGTERM')
    await one.ended
  }
  running.clear()
  for (const opened of startedHere) await closeService(opened, SILENT)
  startedHere.clear()
  await database.drop()
})

const start = (settings: Record<string, string>): ServerProcess => {
  const server = spawnServer({ DATA_DIR: dataDir, ...settings })
  running.add(server)
  return server
}
const SILENT = pino({ level: 'silent' })
/** The same in this process, which is as good where the words are all that matters. */
const startHere = async (settings: Record<string, string>): Promise<() => Promise<void>> => {
  const config = readConfig({ ...QUIET, DATA_DIR: dataDir, ...settings }, dataDir)
  const opened: Opened = {}
  startedHere.add(opened)
  const close = async (): Promise<void> => {
    startedHere.delete(opened)
    await closeService(opened, SILENT)
  }
  const throwIfStopped = () => undefined
  try {
    await startService(opened, { config, log: SILENT, say: () => undefined, throwIfStopped })
  } catch (error) {
    await close()
    throw error
  }
  return close
}
const named = (settings: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  MASTER_KEY: KEY,
  ...settings,
})
const query = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
/** The lines for people: neither log nor stack. */
const told = (said: string): string[] =>
  said.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
const refused = async (settings: Record<string, string>): Promise<string[]> => {
  const server = start(settings)
  const { code } = await server.ended
  expect([code, server.said()]).toEqual([1, expect.stringContaining('service.stopped')])
  return told(server.said())
}
const refusedHere = async (settings: Record<string, string>): Promise<string[]> => {
  const [outcome] = await Promise.allSettled([startHere(settings)])
  if (outcome.status === 'fulfilled') throw new Error('It started.')
  return told(explainError(outcome.reason))
}

describe('a server with another master key', () => {
  it('does not start on a database that others have sealed, nor does a command run there, and neither changes a thing', async () => {
    await startHere(named())
    const sealed = () => query('SELECT key_id, sealed_seed FROM signing_keys ORDER BY key_id')
    const before = await sealed()
    expect(await refused(named({ MASTER_KEY: OTHER_KEY }))).toEqual([
      expect.stringMatching(/^The master key does not open the signing keys.*Set MASTER_KEY to the key/),
    ])
    const commands = [['user', 'create', '--email', 'eve@example.com'], ['key', 'rotate'], ['audit']]
    // One after the other: who waits for another one says so, too.
    for (const words of commands) {
      const { code, said } = await runCommand(words, {
        ...named({ MASTER_KEY: OTHER_KEY }),
        DATA_DIR: dataDir,
      })
      expect([code, told(said)]).toEqual([1, [expect.stringMatching(/^The master key does not open/)]])
    }
    expect(await sealed()).toEqual(before)
    expect(await query(`SELECT id FROM users WHERE email = 'eve@example.com'`)).toEqual([])
  })

  it('is one of two that begin the same ledger at the same moment: only one of them goes on', async () => {
    const outcomes = await Promise.allSettled(
      [KEY, OTHER_KEY].map((key) => startHere(named({ MASTER_KEY: key }))),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? explainError(one.reason) : []))).toEqual([
      expect.stringMatching(/^The master key does not open the signing keys/),
    ])
    expect(await query('SELECT height FROM blocks WHERE height = 0')).toHaveLength(1)
  })

  it('is never one that was made beside sealed data: a data folder without its key file does not start', {
    timeout: 240_000,
  }, async () => {
    await startedFolder(dataDir)
    await (await startHere({}))()
    await rename(join(dataDir, 'master_key'), join(dataDir, 'kept_elsewhere'))
    const lines = await refusedHere({})
    expect(lines.at(-1)).toMatch(
      /^No master_key in .* opens the signing keys.*Put your copy of .*master_key back/,
    )
    const command = await runCommand(['audit'], { DATA_DIR: dataDir })
    expect([command.code, told(command.said).at(-1)]).toEqual([
      1,
      expect.stringMatching(/^No master_key in /),
    ])
    expect(await readdir(dataDir)).not.toContain('master_key')
    await writeFile(join(dataDir, 'master_key'), `${OTHER_KEY}\n`, { mode: 0o600 })
    expect((await refusedHere({})).at(-1)).toMatch(/^No master_key in /)
    expect((await readFile(join(dataDir, 'master_key'), 'utf8')).trim()).toBe(OTHER_KEY)
    await rm(join(dataDir, 'master_key'))
    await rename(join(dataDir, 'kept_elsewhere'), join(dataDir, 'master_key'))
    await startHere({})
  })
})

describe('a start', () => {
  it.each([
    [
      'a database that is not there',
      { DATABASE_URL: 'postgresql://ada:secret@127.0.0.1:1/ledger' },
      /^The database ada@127\.0\.0\.1:1\/ledger \(DATABASE_URL\) does not answer: connect ECONNREFUSED 127\.0\.0\.1:1\. Check that PostgreSQL runs there/,
    ],
    [
      'a host that does not resolve',
      { DATABASE_URL: 'postgresql://ada:secret@db.invalid/ledger' },
      /^The database ada@db\.invalid:5432\/ledger \(DATABASE_URL\) .*(resolve|answer).*(ENOTFOUND|EAI_AGAIN).*Check/,
    ],
    [
      'no way past the pooler',
      { LISTEN_DATABASE_URL: 'postgresql://ada:secret@127.0.0.1:1/ledger' },
      /^The database .* \(LISTEN_DATABASE_URL\) does not answer/,
    ],
    [
      'a certificate for time stamps that cannot be read',
      { TSA_CERTIFICATE: '/nowhere/tsa.pem', TSA_KEY: '/nowhere/tsa.key' },
      /^TSA_CERTIFICATE \(\/nowhere\/tsa\.pem\) with TSA_KEY \(\/nowhere\/tsa\.key\) cannot be used: ENOENT[^\n]*\.$/,
    ],
    [
      'a port that is none of ours',
      { HOST: '192.0.2.1' },
      /^HOST 192\.0\.2\.1 is no address of this machine/,
    ],
  ])(
    'with %s says what was tried and what to do, in one line and without secrets',
    async (_, settings, words) => {
      const lines = await refusedHere(named(settings))
      expect(lines).toEqual([expect.stringMatching(words)])
      expect(lines.join()).not.toContain('secret')
    },
  )

  it.each([
    [/does not exist/, (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
    [/refuses the login/, (url: URL) => Object.assign(url, { password: 'wrong' })],
  ])('on a PostgreSQL that answers no (%s) says which database and what to check', async (words, change) => {
    const { href } = change(new URL(database.url))
    expect(await refusedHere(named({ DATABASE_URL: href }))).toEqual([expect.stringMatching(words)])
  })

  it('by a user who may not make tables says whose the database must be', async () => {
    const name = `visitor_${process.pid}`
    await database.maintain(`CREATE ROLE ${name} LOGIN PASSWORD 'visitor'`)
    try {
      const { href } = Object.assign(new URL(database.url), { username: name, password: 'visitor' })
      expect(await refusedHere(named({ DATABASE_URL: href }))).toEqual([
        expect.stringMatching(/^permission denied for schema public/),
        expect.stringMatching(/^The user of DATABASE_URL may not do that/),
      ])
    } finally {
      await database.maintain(`DROP ROLE ${name}`)
    }
  })

  it('with settings that are wrong names every one of them', async () => {
    const server = start({ PORT: 'many', BLOCK_INTERVAL: 'soon', DATABASE_URL: database.url })
    expect(await server.ended).toMatchObject({ code: 1 })
    expect(told(server.said())).toEqual([
      'The configuration is wrong:',
      expect.stringMatching(/^ {2}PORT /),
      expect.stringMatching(/^ {2}BLOCK_INTERVAL /),
      expect.stringMatching(/^ {2}MASTER_KEY is required with DATABASE_URL/),
    ])
  })

  it('with a data folder that is none, or that cannot be made, says to set another', async () => {
    await writeFile(dataDir, 'a file')
    expect(await refusedHere({})).toEqual([
      expect.stringMatching(/^The data folder .* cannot be used .*Set DATA_DIR to another folder/),
    ])
    expect(await refusedHere({ DATA_DIR: '/proc/pharos' })).toEqual([
      expect.stringMatching(
        /^The data folder \/proc\/pharos cannot be used .*Set DATA_DIR to another folder/,
      ),
    ])
  })

  it('whose first key cannot be written anywhere makes none, and says so', async () => {
    await mkdir(join(dataDir, 'first-start.txt', 'in_the_way'), { recursive: true })
    const lines = await refusedHere(named())
    expect(lines.at(-1)).toMatch(
      /^The first API key could not be written to .*first-start\.txt .*so it was not made/,
    )
    expect(await query('SELECT id FROM api_keys')).toEqual([])
  })

  it('that is called off half-way stops what it has started, and ends well; what is set and is no setting it has said', async () => {
    const server = start({ LIMIT_LISTS: '3' })
    await expect.poll(() => server.said()).toContain('Preparing the database')
    const askedAt = performance.now()
    server.kill('SIGTERM')
    const { code } = await server.ended
    // A stop that takes longer is cut short, which a busy machine can bring about.
    if (performance.now() - askedAt < 7_000)
      expect([code, server.said()]).toEqual([0, expect.stringContaining('service.stopped')])
    expect(server.said()).toContain('LIMIT_LISTS is no setting, or none any more, and is not read')
    expect(server.said()).not.toContain('service.ready')
  })
})
