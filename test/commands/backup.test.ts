// A backup that is made while the service works is restored elsewhere, with everything that was acknowledged until its
// end; and what is not a whole backup, or not the right key, is refused before anything is written.
import { cp, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { BACKUP_COMMANDS } from '../../server/commands/backup.ts'
import type { Installation } from '../../server/commands/command.ts'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { explainError } from '../../server/start/explain_error.ts'
import { readManifest } from '../../server/store/embedded/backup_folder.ts'
import { superuserUrlOf } from '../../server/store/embedded/prepare_cluster.ts'
import { runProgram } from '../../server/store/embedded/run_program.ts'
import { openStore } from '../../server/store/open_store.ts'
import { keyInForce } from '../../server/store/seal.ts'
import { withSession } from '../../server/store/session.ts'
import { startedFolder } from '../store/embedded_support.ts'
import { firstKey } from '../support/first_key.ts'
import { ask, eventually } from '../support/http.ts'
import { commandProcess, runCommand, type ServerProcess, spawnServer } from '../support/server_process.ts'
import { makeMemoryFolder } from '../support/temporary_folder.ts'
import { QUERY_TYPE, queryOf, readReply, readToken } from '../support/time_stamps/query.ts'

let room: string
let server: ServerProcess
let base: string
let key: string
let masterKeyFile: string
/** Ids of items that were acknowledged, with the time of the answer. */
const acknowledged: { id: string; at: number }[] = []
let ended: string

const NO_BUDGETS = {
  LIMIT_CALLER_PER_MINUTE: '1000000',
  LIMIT_CALLER_WORK_PER_MINUTE: '1000000',
  LIMIT_ADDRESS_PER_MINUTE: '1000000',
  LIMIT_AGGREGATION_PER_MINUTE: '1000000',
}

const place = (name: string): string => join(room, name)

beforeAll(async () => {
  room = await makeMemoryFolder('pharos-backup-')
  server = spawnServer({
    DATA_DIR: await startedFolder(place('live')),
    BLOCK_INTERVAL: '1s',
    AGGREGATION_INTERVAL: '100ms',
    ...NO_BUDGETS,
  })
  base = await server.ready
  key = await firstKey(place('live'), base)
  masterKeyFile = place('key_kept_elsewhere')
  await cp(join(place('live'), 'master_key'), masterKeyFile)
  let over = false
  const load = (async () => {
    while (!over) acknowledged.push(await submit())
  })()
  const { code, said } = await runCommand(['backup', place('backup')], { DATA_DIR: place('live') })
  over = true
  await load
  expect([code, said]).toEqual([0, expect.stringContaining('It cannot be restored without the master key')])
  ended = (await readManifest(place('backup'))).ended_at
}, 300_000)
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await rm(room, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

async function submit(): Promise<{ id: string; at: number }> {
  const answer = await fetch(`${base}/api/json/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({
      data: {
        type: 'item',
        attributes: {
          claims: { name: `file ${acknowledged.length}`, hash: 'ab'.repeat(32), hash_type: 'sha256' },
        },
      },
    }),
  })
  expect(answer.status).toBe(201)
  const { data }: { data: { id: string } } = JSON.parse(await answer.text())
  return { id: data.id, at: Date.now() }
}

/** The serial numbers of so many time stamps, one after the other, each in a round of its own. */
async function serialNumbers(origin: string, count: number): Promise<bigint[]> {
  const serials: bigint[] = []
  while (serials.length < count) {
    const { status, bytes } = await ask(Number(new URL(origin).port), '/tsa', {
      body: queryOf(),
      headers: { 'Content-Type': QUERY_TYPE },
    })
    expect(status).toBe(200)
    const { token } = readReply(bytes)
    // The first key may still be in the making.
    if (token !== undefined) serials.push(readToken(token).serial)
  }
  return serials
}

const installation = (dataDir: string, more: Partial<Installation> = {}): Installation => ({
  version: '0.1.0',
  dataDir,
  databaseIsNamed: false,
  masterKey: undefined,
  tell: () => undefined,
  reach: () => Promise.reject(new Error('not reached')),
  prepare: () => Promise.reject(new Error('not reached')),
  ...more,
})
const restore = (from: string, to: string, more: Partial<Installation> = {}) =>
  BACKUP_COMMANDS.restore?.runOn(
    installation(to, more),
    more.masterKey ? {} : { 'master-key-file': masterKeyFile },
    [from],
  )

const absent = async (path: string): Promise<boolean> => !(await stat(path).catch(() => false))

/** Kills a command in the middle. One that has ended before that was seen, by a late machine, is undone and begun anew. */
async function killOnce(
  isInTheMiddle: () => Promise<boolean>,
  how: { begin: () => ReturnType<typeof commandProcess>; undo: () => Promise<unknown> },
): Promise<void> {
  for (;;) {
    const child = how.begin()
    let isOver = false
    const ended = child.ended.finally(() => {
      isOver = true
    })
    await eventually(async () => isOver || (await isInTheMiddle()) || undefined)
    child.kill('SIGKILL')
    const end = await ended
    if (end.signal === 'SIGKILL') return
    expect(end.code, child.said()).toBe(0)
    await how.undo()
  }
}

const RESTORE = () => ['restore', place('backup'), '--master-key-file', masterKeyFile]

it('a restore that is interrupted leaves a folder on which no server starts, and begins anew', async () => {
  const DATA_DIR = place('elsewhere')
  await killOnce(async () => (await readdir(DATA_DIR).catch(() => [])).join().includes('postgres.new.'), {
    begin: () => commandProcess(RESTORE(), { DATA_DIR }),
    undo: () => rm(DATA_DIR, { recursive: true }),
  })
  const start = spawnServer({ DATA_DIR })
  expect((await start.ended).code).toBe(1)
  expect(start.said()).toContain('Run the restore again')
  const { code, said } = await runCommand(RESTORE(), { DATA_DIR })
  expect([code, said]).toEqual([0, expect.stringMatching(/is restored to height \d+ .*its head verifies/)])
  expect((await readdir(DATA_DIR)).toSorted()).toEqual([
    'database_password',
    'lock',
    'master_key',
    'postgres',
    'superuser_password',
  ])
})

describe('a server on what was restored', () => {
  let there: ServerProcess
  let origin: string
  /** Serial numbers that it cannot know of. */
  let lost: readonly bigint[]
  beforeAll(async () => {
    lost = await serialNumbers(base, 5)
    there = spawnServer({ DATA_DIR: place('elsewhere'), AGGREGATION_INTERVAL: '100ms', ...NO_BUDGETS })
    origin = await there.ready
  })
  afterAll(async () => {
    there.kill('SIGTERM')
    await there.ended
  })

  it('serves everything that was acknowledged under load until the end of the backup, and its ledger agrees', async () => {
    const before = acknowledged.filter(({ at }) => at <= Date.parse(ended)).map(({ id }) => id)
    expect(before.length).toBeGreaterThan(0)
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${origin}/api/json/items/${before.at(-1)}`, { headers })).status).toBe(200)
    const url = await readFile(join(place('elsewhere'), 'database_url'), 'utf8')
    const found = await withSession(url, (session) =>
      session.query('SELECT FROM items WHERE id = ANY($1)', [before]),
    )
    expect(found.rowCount).toBe(before.length)
    const store = openStore({ url, poolSize: 6 })
    const kept = await keptKey()
    expect(await keyInForce(store.em())).toBe(kept.fingerprint)
    // What gets its block while an audit runs is counted by the next one.
    const audited = await eventually(async () => {
      const audit = await auditLedger({ em: store.em('ledger'), masterKey: kept })
      return audit.items >= before.length ? audit : undefined
    }).finally(store.close)
    expect(audited.passed).toBe(true)
  })

  it('gives time stamps serial numbers that none had that was made after the backup', async () => {
    const made = await serialNumbers(origin, 5)
    expect(new Set([...lost, ...made]).size).toBe(10)
    // The numbers go on from the time, and never from what the backup says.
    const newest = (serials: readonly bigint[]) => serials.toSorted((a, b) => Number(a - b)).at(-1) ?? 0n
    expect(made.every((serial) => serial > newest(lost))).toBe(true)
  })
})

it('beside what a newer server has seen signed it gets no block, until its fork is accepted; reads go on', async () => {
  const settings = { DATA_DIR: place('elsewhere'), BLOCK_INTERVAL: '1s', LOG_ORIGIN: 'localhost:0/log' }
  // The server that lives replaces these files each second, also while they are copied.
  await eventually(async () => {
    const copy = place('elsewhere/signed_checkpoints')
    await rm(copy, { recursive: true, force: true })
    return cp(place('live/signed_checkpoints'), copy, { recursive: true }).then(
      () => true,
      () => undefined,
    )
  })
  const server = spawnServer(settings)
  try {
    const origin = await server.ready
    const ready = async () => (await fetch(`${origin}/health/ready`)).json()
    await expect.poll(ready).toMatchObject({
      ready: false,
      reason: 'behind_what_was_signed',
      public_log: {
        signed: expect.stringContaining('localhost:0/log\n'),
        found: expect.stringContaining('localhost:0/log\n'),
      },
    })
    expect(server.said()).toContain('log.behind_what_was_signed')
    const headers = { authorization: `Bearer ${key}` }
    const head = async () => (await fetch(`${origin}/api/json/beacons/latest`, { headers })).json()
    const before = z.object({ id: z.string() }).parse(await head())
    expect(await runCommand(['log', 'key'], settings)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^localhost:0\/log\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+\n$/),
    })
    expect(z.object({ id: z.string() }).parse(await head())).toEqual(before)
    // A server that starts on this database with an empty data folder knows it, and so does a command there.
    const newcomer = {
      ...settings,
      DATA_DIR: place('newcomer'),
      DATABASE_URL: (await readFile(place('elsewhere/database_url'), 'utf8')).trim(),
      MASTER_KEY: (await readFile(masterKeyFile, 'utf8')).trim(),
    }
    const sequence = (statement: string) =>
      withSession(newcomer.DATABASE_URL, async (session) => (await session.query(statement)).rows[0])
    /** As if it had been forgotten which numbers rounds had. */
    const forgetNumbers = () => sequence(`SELECT setval('aggregation_round_numbers', 7)`)
    const knowsNumbers = async (): Promise<unknown> =>
      (
        await sequence(
          `SELECT last_value > unix_ms(pharos_now() - interval '1 hour') AS knows FROM aggregation_round_numbers`,
        )
      )?.knows
    await forgetNumbers()
    const other = spawnServer(newcomer)
    try {
      const otherOrigin = await other.ready
      expect(await knowsNumbers()).toBe(true)
      await forgetNumbers()
      const told = z.object({ public_log: z.unknown() }).parse(await ready())
      await expect
        .poll(async () => (await fetch(`${otherOrigin}/health/ready`)).json())
        .toMatchObject({ ready: false, reason: 'behind_what_was_signed', ...told })
      expect(other.said()).toContain('log.behind_what_was_signed')
      expect(z.object({ id: z.string() }).parse(await head())).toEqual(before)
      const accepted = await runCommand(['log', 'accept-fork', '--reason', 'the disk is gone'], newcomer)
      expect(accepted).toMatchObject({
        code: 0,
        said: expect.stringMatching(
          /^The log localhost:0\/log is retired for ever\. .+\nlocalhost:0\/log-2 goes on .+\nlocalhost:0\/log-2\+\S+\n$/,
        ),
      })
      expect(await knowsNumbers()).toBe(true)
      await expect.poll(ready).toMatchObject({ ready: true })
      await expect.poll(head).not.toMatchObject(before)
    } finally {
      other.kill('SIGTERM')
      await other.ended
    }
    expect(await runCommand(['log', 'accept-fork', '--reason', 'again'], settings)).toMatchObject({
      code: 2,
      said: expect.stringContaining('nothing was retired'),
    })
    expect(await runCommand(['log', 'key'], settings)).toMatchObject({
      said: expect.stringMatching(/^localhost:0\/log-2\+/),
    })
  } finally {
    server.kill('SIGTERM')
    await server.ended
  }
})

it('a file of the master key that cannot be read is named', async () => {
  const from = place('backup')
  await expect(
    BACKUP_COMMANDS.restore?.runOn(installation(place('untouched')), { 'master-key-file': place('nokey') }, [
      from,
    ]),
  ).rejects.toThrow(/--master-key-file cannot be read: ENOENT.*nokey.*Nothing was restored/)
})

it('a changed byte, a missing file and one too many are named before anything is written', async () => {
  const broken = place('broken')
  await cp(place('backup'), broken, { recursive: true })
  const file = await open(join(broken, 'cluster/global/pg_control'), 'r+')
  await file.write(Buffer.of(0xff), 0, 1, 100)
  await file.close()
  await rm(join(broken, 'cluster/PG_VERSION'))
  await writeFile(join(broken, 'cluster/base/more'), '')
  await expect(restore(broken, place('untouched'))).rejects.toThrow(
    /PG_VERSION is missing\n {2}global\/pg_control was changed\n {2}base\/more is not part of it/,
  )
  await writeFile(
    join(broken, 'manifest.json'),
    (await readFile(join(broken, 'manifest.json'), 'utf8')).replace('1', '2'),
  )
  await expect(restore(broken, place('untouched'))).rejects.toThrow('manifest.json was changed')
  await expect(restore(room, place('untouched'))).rejects.toThrow('is no backup: it has no manifest.json')
  expect(await absent(place('untouched'))).toBe(true)
})

it('no master key, another one, a used data folder and a database that is not ours are refused', async () => {
  const { fingerprint } = (await readManifest(place('backup'))).master_key
  const to = place('untouched')
  const without = BACKUP_COMMANDS.restore?.runOn(installation(to), {}, [place('backup')])
  await expect(without).rejects.toThrow(`the fingerprint ${fingerprint}, which is in no backup`)
  const other = { masterKey: Buffer.alloc(32, 7) }
  await expect(restore(place('backup'), to, other)).rejects.toThrow(`sealed by the one with ${fingerprint}`)
  await expect(restore(place('backup'), place('live'))).rejects.toThrow('A restore never overwrites')
  const named = { databaseIsNamed: true }
  await expect(restore(place('backup'), to, named)).rejects.toThrow('DATABASE_URL is set')
  await expect(backUp('b', named)).rejects.toThrow('pg_basebackup')
  await expect(backUp('live/b', {})).rejects.toThrow('within the data folder')
  await expect(backUp('backup', await reaching())).rejects.toThrow('exists already')
  expect(await absent(to)).toBe(true)
})

it('killed in the middle it leaves the database as it was and a folder that says what it is', async () => {
  const draft = async () => (await readdir(room)).find((name) => name.startsWith('killed.incomplete.')) ?? ''
  const hasBegun = async () =>
    (await readdir(join(room, await draft(), 'cluster')).catch(() => [])).length > 0
  await killOnce(hasBegun, {
    begin: () => commandProcess(['backup', place('killed')], { DATA_DIR: place('live') }),
    undo: () => rm(place('killed'), { recursive: true }),
  })
  expect(await absent(place('killed'))).toBe(true)
  await expect(readManifest(join(room, await draft()))).rejects.toThrow('is no backup')
  const { superuserUrl } = await embedded()
  const slots = () =>
    withSession(
      superuserUrl,
      async (session) => (await session.query('SELECT FROM pg_replication_slots')).rowCount,
    )
  await expect.poll(slots).toBe(0)
  const told: string[] = []
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await backUp('killed', { ...(await reaching()), tell: (line) => told.push(line) })).toBe(0)
  } finally {
    printed.mockRestore()
  }
  expect(told.join()).toContain('is what an interrupted backup left')
})

it('stopped in the middle, by a signal that comes again as from npm, it removes what it wrote', async () => {
  const drafts = async () => (await readdir(room)).filter((name) => name.startsWith('stopped.'))
  for (;;) {
    const child = commandProcess(['backup', place('stopped')], { DATA_DIR: place('live') })
    let isOver = false
    const ended = child.ended.finally(() => {
      isOver = true
    })
    await eventually(async () => isOver || (await drafts()).length > 0 || undefined)
    while (!isOver && (await drafts()).length > 0) child.kill('SIGINT')
    const { code } = await ended
    if (code !== 0) {
      expect(code).toBe(130)
      break
    }
    // On a late machine it had ended before that was seen.
    await rm(place('stopped'), { recursive: true })
  }
  expect(await drafts()).toEqual([])
  expect(await absent(place('stopped'))).toBe(true)
})

it('a place that cannot be made is named, with why and what to do', async () => {
  await symlink(place('nowhere/at/all'), place('dangling'))
  const long = 'x'.repeat(250)
  for (const [name, why] of [
    ['dangling/backup', 'ENOENT'],
    ['key_kept_elsewhere/backup', 'ENOTDIR'],
    [long, 'ENAMETOOLONG'],
  ] as const) {
    const told = await toldOf(backUp(name, await reaching()))
    expect(told).toMatch(`${place(name)} cannot be made (${why}: `)
    expect(told).toMatch(/\)\. Nothing was done\. Name another folder\.$/)
  }
})

it.for([
  ['full before it begins', 'nr_inodes=1'],
  ['that it fills', 'size=4m'],
] as const)(
  'on a disk %s it leaves nothing and says which disk that is and what to do',
  async ([, option], { skip }) => {
    const small = place('small')
    await mkdir(small, { recursive: true })
    const mounted = await runProgram('/bin/mount', ['-t', 'tmpfs', '-o', option, 'small', small])
    if (!mounted.ok) skip(`mounting a small file system needs more rights: ${mounted.output || mounted.how}`)
    try {
      const told = await toldOf(backUp('small/of/backup', await reaching()))
      expect(told).toMatch(
        /^The disk of \S*\/small\/of is full\. Nothing is left of this backup\. Make room there, or name/,
      )
      expect(told).not.toContain('DATA_DIR')
      expect((await readdir(small, { recursive: true })).filter((name) => name !== 'of')).toEqual([])
    } finally {
      await runProgram('/bin/umount', [small])
    }
  },
)

/** What a person reads when it fails. */
const toldOf = (work: Promise<unknown> | undefined): Promise<string> =>
  Promise.resolve(work).then(() => 'It did not fail.', explainError)

const backUp = (name: string, more: Partial<Installation>) =>
  BACKUP_COMMANDS.backup?.runOn(installation(place('live'), more), {}, [place(name)])

async function embedded() {
  const url = await readFile(join(place('live'), 'database_url'), 'utf8')
  const password = (await readFile(join(place('live'), 'superuser_password'), 'utf8')).trim()
  return { url, superuserUrl: superuserUrlOf(url, password), cluster: join(place('live'), 'postgres') }
}

async function reaching(): Promise<Pick<Installation, 'reach'>> {
  const { url, ...others } = await embedded()
  const key = await keptKey()
  return { reach: async () => ({ url, embedded: others, masterKey: key, close: async () => undefined }) }
}

const keptKey = async () => masterKey(Buffer.from((await readFile(masterKeyFile, 'utf8')).trim(), 'hex'))
