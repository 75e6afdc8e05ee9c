// Servers that share a database, and the database, are killed one after the other while every door is in use: whoever was
// answered is in the database afterwards. Every third time a server is stopped instead: whoever it has taken is answered or
// refused.
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { withSession } from '../../server/store/session.ts'
import { secondCheck, secondEntry } from '../evidence/second_tree.ts'
import { startedFolder } from '../store/embedded_support.ts'
import { freePort } from '../support/free_port.ts'
import { type Answer, type Ask, ask, eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { readTimestamp } from '../support/ots_reader.ts'
import { type ServerProcess, spawnServer } from '../support/server_process.ts'
import { sizeOf } from '../support/sizes.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { QUERY_TYPE, queryOf, readReply, readToken } from '../support/time_stamps/query.ts'

const KILLS = sizeOf('kills')
const SERVERS = 2
/** Clients of each door, at each server. */
const CLIENTS = 8

let home: string
let database: EmbeddedPostgres
const ports: number[] = []
const servers: ServerProcess[] = []
const undo: (() => Promise<unknown>)[] = []

/** Nobody answers for Bitcoin, and the calendar is open all the same. */
const start = (port: number): ServerProcess =>
  spawnServer({
    PORT: String(port),
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: join(home, 'server'),
    PUBLIC_CHAINS: 'bitcoin',
    BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1/wallet/w',
    BLOCK_INTERVAL: '2s',
    AGGREGATION_INTERVAL: '100ms',
    LOG_LEVEL: 'error',
    LIMIT_AGGREGATION_PER_MINUTE: '100000000',
    LIMIT_LOOP_DELAY_MS: '600000',
  })

beforeAll(async () => {
  home = await makeTemporaryFolder('pharos-kills-')
  undo.push(() => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  const folder = await openDataFolder(await startedFolder(join(home, 'data')))
  undo.push(folder.release)
  // Begun again by itself whenever it ends.
  database = await startEmbeddedPostgres({ folder, log: () => undefined })
  undo.push(database.stop)
  const [settings] = await asked<Record<string, string>>(
    `SELECT current_setting('synchronous_commit') AS commits, current_setting('fsync') AS fsync`,
  )
  expect(settings).toEqual({ commits: 'on', fsync: 'on' })
  for (let nth = 0; nth < SERVERS; nth += 1) {
    ports.push(await freePort())
    servers.push(start(ports[nth] ?? 0))
    // The first one makes the ledger.
    await servers[nth]?.ready
  }
  undo.push(async () => {
    for (const { kill } of servers) kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })
}, 300_000)
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const asked = <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  withSession(database.url, async (session) => (await session.query<Row>(sql, values)).rows)

it(`${KILLS} kills of servers and of the database lose no digest that was answered`, {
  timeout: 120_000 + KILLS * 60_000,
}, async () => {
  const load = stampAtAllDoors()
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Another moment of a round each time.
    await load.grows(20 + Math.floor(Math.random() * 60))
    // Of every three one server is killed and the other one stopped, and the next time it is the other way round.
    const [turn, round] = [kill % (SERVERS + 1), Math.floor(kill / (SERVERS + 1))]
    if (turn === SERVERS) await killDatabase()
    else await endServer((turn + round) % SERVERS, turn === 0 ? 'SIGKILL' : 'SIGTERM')
  }
  await load.grows(100)
  const { answered, tokens, statuses, dropped, takenByStopped } = await load.stop()
  expect(dropped).toEqual([])
  expect(takenByStopped).toBeGreaterThan(0)
  // Refused, or cut off with the server. Anything else is a fault of ours.
  for (const status of statuses) expect([200, 503]).toContain(status)
  const roots = [...new Set(answered)]
  expect(roots.length).toBeGreaterThan(KILLS)
  const [found] = await asked<{ rounds: number; halves: number }>(
    `SELECT count(r.root) FILTER (WHERE i.claims::json ->> 'hash' = wanted)::int AS rounds,
            (SELECT count(*)::int FROM aggregation_rounds FULL JOIN
                (SELECT id FROM items WHERE display_name LIKE 'Pharos round %') o ON o.id = item_id
              WHERE o.id IS NULL OR item_id IS NULL) AS halves
       FROM unnest($1::text[]) AS wanted
       LEFT JOIN aggregation_rounds r ON r.root = decode(wanted, 'hex') LEFT JOIN items i ON i.id = r.item_id`,
    [roots],
  )
  expect(found).toEqual({ rounds: roots.length, halves: 0 })
  expect(tokens.length).toBeGreaterThan(KILLS)
  expect(new Set(tokens.map(({ serial }) => serial)).size).toBe(tokens.length)
  const [kept] = await asked<{ tokens: number }>(
    `SELECT count(*)::int AS tokens
       FROM unnest($1::bigint[], $2::int[], $3::bytea[]) AS t (round, index, hash)
       JOIN aggregation_rounds r ON r.number = t.round AND substring(r.token_hashes, 32 * index - 31, 32) = t.hash`,
    [
      tokens.map(({ serial }) => String(serial >> 20n)),
      tokens.map(({ serial }) => Number(serial & 0xf_ffffn)),
      tokens.map(({ hash }) => hash),
    ],
  )
  expect(kept).toEqual({ tokens: tokens.length })
  process.stderr.write(
    `${KILLS} kills: ${answered.length} digests answered in ${roots.length} rounds, and ${tokens.length} tokens, all there\n`,
  )
})

/** The port of the server that is being stopped. */
let stopping: number | undefined

async function endServer(nth: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const port = ports[nth] ?? 0
  if (signal === 'SIGTERM') stopping = port
  servers[nth]?.kill(signal)
  await servers[nth]?.ended
  servers[nth] = start(port)
  // Whatever its connections had to say is heard by then.
  await servers[nth]?.ready
  stopping = undefined
}

async function killDatabase(): Promise<void> {
  const postmaster = async () =>
    (await readFile(join(database.cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]
  const killed = await postmaster()
  process.kill(Number(killed), 'SIGKILL')
  await eventually(async () => {
    const now = await postmaster().catch(() => killed)
    return now === killed ? undefined : await asked('SELECT 1').catch(() => undefined)
  })
}

const stamped = z.object({
  evidence: z.array(
    z.object({
      trees: z.tuple([z.object({ size: z.number(), index: z.number(), path: z.array(z.string()) })]),
      item: z.object({ claims: z.object({ hash: z.string() }) }),
    }),
  ),
})

/** Clients that ask one after the other. For each answer, the root to which its path leads, or the token, is kept. */
function stampAtAllDoors() {
  const answered: string[] = []
  const tokens: { readonly serial: bigint; readonly hash: Buffer }[] = []
  const statuses = new Set<number>()
  /** What became of requests that a server had taken when it was stopped, and that got no answer. */
  const dropped: string[] = []
  let takenByStopped = 0
  let isOver = false

  const asking = async (port: number, path: string, asked: Ask): Promise<Answer> => {
    let isTaken = false
    const before = stopping
    const onTaken = (): void => {
      isTaken = true
    }
    try {
      const answer = await ask(port, path, { method: 'POST', ...asked, onTaken })
      if (stopping === port && before !== port) takenByStopped += 1
      return answer
    } catch (error) {
      if (stopping === port && isTaken) dropped.push(`${path}: ${String(error)}`)
      throw error
    }
  }

  const atCalendar = async (port: number): Promise<void> => {
    const digest = randomBytes(32)
    const { status, bytes } = await asking(port, '/calendar/digest', { body: digest })
    statuses.add(status)
    if (status !== 200) return
    const [{ message } = expect.fail('no promise')] = readTimestamp(bytes, digest).pending
    answered.push(message.toString('hex'))
  }
  const atStamp = async (port: number): Promise<void> => {
    const values = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => randomBytes(32))
    const digests = values.map((value) => ({ type: 'sha256', value: value.toString('hex') }))
    const { status, json } = await asking(port, '/stamp', {
      body: JSON.stringify({ digests }),
      headers: { 'Content-Type': 'application/json' },
    })
    statuses.add(status)
    if (status !== 200) return
    const { evidence } = stamped.parse(json())
    expect(evidence).toHaveLength(values.length)
    for (const [at, { trees, item }] of evidence.entries()) {
      const [{ size, index, path }] = trees
      const entry = secondEntry({ type: 'sha256', value: values[at] ?? expect.fail('one too many') })
      const place = { size, index, path: path.map((hash) => Buffer.from(hash, 'hex')) }
      expect(secondCheck(place, entry, Buffer.from(item.claims.hash, 'hex'))).toBe(true)
      answered.push(item.claims.hash)
    }
  }
  const atTsa = async (port: number): Promise<void> => {
    const digest = randomBytes(32)
    const headers = { 'Content-Type': QUERY_TYPE }
    const { status, bytes } = await asking(port, '/tsa', { body: queryOf({ digest }), headers })
    statuses.add(status)
    if (status !== 200) return
    const { token, failures } = readReply(bytes)
    // systemFailure while the database is away.
    if (token === undefined) return expect(failures).toEqual([25])
    const { serial, imprint } = readToken(token)
    expect(imprint.subarray(-32)).toEqual(digest)
    tokens.push({ serial, hash: createHash('sha256').update(token).digest() })
  }
  const client = async (stampOnce: (port: number) => Promise<void>, port: number): Promise<void> => {
    while (!isOver)
      await stampOnce(port).catch(async (error: unknown) => {
        // What Node says of a connection that was refused or cut.
        if (!(error instanceof Error && 'code' in error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      })
  }
  const clients = Promise.all(
    ports.flatMap((port) =>
      Array.from({ length: CLIENTS }, () =>
        [atCalendar, atStamp, atTsa].map((stampOnce) => client(stampOnce, port)),
      ).flat(),
    ),
  )
  // A client that found something wrong ends the test, and not the process, when it is waited for.
  clients.catch(() => undefined)
  return {
    grows: async (by: number) => {
      const before = answered.length
      await Promise.race([
        eventually(() => (answered.length >= before + by ? true : undefined), 120_000),
        clients,
      ])
    },
    stop: async () => {
      isOver = true
      await clients
      return { answered, tokens, statuses, dropped, takenByStopped }
    },
  }
}
