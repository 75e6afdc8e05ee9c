// The doors that need no account, while many connections say nothing, clients send their digests byte by byte or without
// end, and the database is away.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { NO_CHAINS, openTestApp } from '../support/app.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { openFaultProxy } from '../support/fault_proxy.ts'
import { ask, eventually, openWire } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { type ServerProcess, spawnServer } from '../support/server_process.ts'
import { sizeOf } from '../support/sizes.ts'
import { slowness } from '../support/slowness.ts'
import { openSwitchedAddress } from '../support/switched_address.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { QUERY_TYPE, queryOf, readReply } from '../support/time_stamps/query.ts'

const IDLE = sizeOf('idle_connections')
/** Fewer than one address may have. */
const OF_ADDRESS = 500

let database: TestDatabase
let folder: string
let server: ServerProcess
let port: number
beforeAll(async () => {
  database = await cloneDatabase()
  folder = await makeTemporaryFolder('pharos-bounds-')
  // With its own open files, because this process needs as many for the clients.
  server = spawnServer({
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: folder,
    AGGREGATION_INTERVAL: '100ms',
    PUBLIC_CHAINS: 'bitcoin',
    BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1/wallet/w',
    LOG_LEVEL: 'error',
    LIMIT_LOOP_DELAY_MS: '600000',
  })
  port = Number(new URL(await server.ready).port)
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await rm(folder, { recursive: true })
})

const DIGEST = createHash('sha256').update('a file').digest()
const DOORS = {
  '/calendar/digest': { method: 'POST', body: DIGEST },
  '/stamp': {
    body: JSON.stringify({ digests: [{ type: 'sha256', value: DIGEST.toString('hex') }] }),
    headers: { 'Content-Type': 'application/json' },
  },
  '/tsa': { body: queryOf({ digest: DIGEST }), headers: { 'Content-Type': QUERY_TYPE } },
} as const
const doors = Object.keys(DOORS) as (keyof typeof DOORS)[]
const statusesAt = (at: number): Promise<number[]> =>
  Promise.all(doors.map(async (path) => (await ask(at, path, DOORS[path])).status))

it(`are open beside ${IDLE} connections that say nothing`, async () => {
  const idle: Socket[] = []
  try {
    for (let nth = 0; nth < IDLE; nth += 1) {
      const localAddress = `127.0.1.${1 + Math.floor(nth / OF_ADDRESS)}`
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
      idle.push(socket)
      // Not more at once than a listener has room for.
      if (nth % 100 === 99)
        await eventually(() => (idle.every(({ connecting }) => !connecting) ? true : undefined))
    }
    expect(await statusesAt(port)).toEqual([200, 200, 200])
    expect(idle.filter(({ destroyed }) => destroyed)).toEqual([])
  } finally {
    for (const socket of idle) socket.destroy()
  }
})

it('are open beside clients that have not sent all of their digests, which get their answers when they have', async () => {
  const head = `POST /calendar/digest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${DIGEST.length}\r\n\r\n`
  const slow = await Promise.all(Array.from({ length: 100 }, () => openWire(port)))
  for (const wire of slow) wire.write(Buffer.concat([Buffer.from(head), DIGEST.subarray(0, 20)]))
  expect(await statusesAt(port)).toEqual([200, 200, 200])
  expect(slow.map(({ received }) => received()).join('')).toBe('')
  for (const { write } of slow) write(DIGEST.subarray(20))
  for (const wire of slow)
    expect(await wire.until((text) => text.includes('/calendar/'))).toMatch(/^HTTP\/1\.1 200 /)
  for (const { socket } of slow) socket.destroy()
})

const typeOf = (path: keyof typeof DOORS): string => (path === '/tsa' ? QUERY_TYPE : 'application/json')

it.each(doors)('%s reads no body without end', async (path) => {
  const wire = await openWire(port)
  wire.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${typeOf(path)}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = `4000\r\n${' '.repeat(16_384)}\r\n`
  for (let sent = 0; sent < 5; sent += 1) wire.write(chunk)
  expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/i)
})

// Each of these has a service of its own, and waits most of its time.
it.concurrent('refuse everybody in time while the database is away, and answer nobody before it is back', async () => {
  const slower = slowness()
  const address = await openSwitchedAddress(database.url)
  const app = await openTestApp({ aggregationIntervalMs: 100, through: address.through })
  try {
    const rounds = () => app.query('SELECT number FROM aggregation_rounds')
    await eventually(async () =>
      (await ask(app.port, '/stamp', DOORS['/stamp'])).status === 200 ? true : undefined,
    )
    const before = (await rounds()).length
    address.leadTo('postgresql://127.0.0.1:1/away')
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(app.port, '/stamp', DOORS['/stamp'])),
    )
    expect(performance.now() - began).toBeLessThan(5_000 * slower)
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('database_unavailable')])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    const asked = performance.now()
    const { status, bytes } = await ask(app.port, '/tsa', DOORS['/tsa'])
    expect(performance.now() - asked).toBeLessThan(5_000 * slower)
    // systemFailure, within the protocol.
    expect([status, readReply(bytes)]).toEqual([200, expect.objectContaining({ status: 2, failures: [25] })])
    expect((await rounds()).length).toBe(before)
    address.leadTo(app.database.url)
    await eventually(async () =>
      (await ask(app.port, '/stamp', DOORS['/stamp'])).status === 200 ? true : undefined,
    )
    expect((await rounds()).length).toBeGreaterThan(before)
  } finally {
    await app.close()
    await address.close()
  }
})

it.concurrent.each([
  ['the number of a round', /nextval\('aggregation_round_numbers'\)/],
  ['the item of a round', /INSERT INTO items/],
])(
  'tell within five seconds that there is no time stamp, when the database says nothing about %s',
  async (_, part) => {
    const slower = slowness()
    const proxy = await openFaultProxy(inject('postgresUrl'))
    const app = await openTestApp({ aggregationIntervalMs: 100, through: proxy.through })
    const silence = Promise.withResolvers<void>()
    try {
      const stamped = async () => readReply((await ask(app.port, '/tsa', DOORS['/tsa'])).bytes)
      const untilGranted = () => eventually(async () => (await stamped()).token && true)
      await untilGranted()
      const struck = proxy.strike({
        matches: (sql) => part.test(sql),
        when: 'before',
        hook: () => silence.promise,
      })
      const asked = performance.now()
      const reply = await stamped()
      expect(performance.now() - asked).toBeLessThan(5_000 * slower)
      expect(reply).toMatchObject({ status: 2, failures: [25], token: undefined })
      silence.resolve()
      await struck
      await untilGranted()
    } finally {
      silence.resolve()
      await app.close()
      await proxy.close()
    }
  },
)

it.concurrent('refuse everybody within five seconds while the database says nothing, in rounds of the longest interval too', async () => {
  const slower = slowness()
  const address = await openSwitchedAddress(database.url)
  const app = await openTestApp({
    ...{ aggregationIntervalMs: 4_000, through: address.through },
    chains: {
      ...{ ...NO_CHAINS, names: ['bitcoin'] },
      bitcoin: { rpcUrl: 'http://u:p@127.0.0.1:1/wallet/w', confirmations: 1 },
    },
  })
  try {
    // Whatever a first request needs is there.
    expect(await statusesAt(app.port)).toEqual([200, 200, 200])
    address.fallSilent()
    const answers = await Promise.all(
      doors.map(async (path) => {
        const began = performance.now()
        const { status, bytes } = await ask(app.port, path, DOORS[path])
        expect(performance.now() - began, path).toBeLessThan(5_000 * slower)
        return path === '/tsa' ? readReply(bytes).failures : status
      }),
    )
    expect(answers).toEqual([503, 503, [25]])
  } finally {
    address.leadTo(app.database.url)
    await app.close()
    await address.close()
  }
})
