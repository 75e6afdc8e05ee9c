// Several workers of one start show as one server: for every client, in metrics, when one is killed, and when all stop.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { temporaryFolder, undoAll } from '../store/embedded_support.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { followBeacons } from '../support/beacon_follower.ts'
import { ask } from '../support/http.ts'
import { ASKS, type Lane, openLane } from '../support/keep_alive_lane.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { type ServerProcess, spawnServer } from '../support/server_process.ts'
import { connect } from '../surfaces/console/console_client.ts'
import { resourceOf } from '../surfaces/jsonapi/documents.ts'

const WORKERS = 2

/** Prepares the database and makes blocks. It stands for a server on another machine. */
let home: TestApp
let server: ServerProcess
let base: string
const opened: { close: () => unknown }[] = []

beforeAll(async () => {
  home = await openTestApp()
  server = spawnServer({
    DATABASE_URL: home.database.url,
    DATA_DIR: await temporaryFolder(),
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    WORKERS: String(WORKERS),
    BLOCK_INTERVAL: '1h',
    // The test ends the delay.
    STOP_DELAY: '60s',
    LIMIT_CALLER_PER_MINUTE: '1000000',
    LIMIT_ADDRESS_PER_MINUTE: '1000000',
  })
  base = await server.ready
})
afterAll(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  server.kill('SIGKILL')
  await server.ended
  await home.close()
  await undoAll()
})

const port = (): number => Number(new URL(base).port)

const lane = (): Lane => {
  const made = openLane(port(), home.owner.key)
  opened.push(made)
  return made
}

interface Line {
  readonly msg: string
  readonly worker?: number
  readonly pid: number
}

const lines = (msg: string): readonly Line[] =>
  server
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.msg === msg)

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${base}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const itemsStored = async (): Promise<number> =>
  (await home.query<{ items: number }>('SELECT count(*)::integer AS items FROM items'))[0]?.items ?? 0

/** A busy machine may let one worker take every connection of the port that they share. So each is alone for a moment. */
async function withEachAlone(work: () => Promise<unknown>): Promise<void> {
  const ready = lines('worker.ready')
  for (const { pid: alone } of ready) {
    const others = ready.filter(({ pid }) => pid !== alone)
    for (const { pid } of others) process.kill(pid, 'SIGSTOP')
    try {
      await work()
    } finally {
      for (const { pid } of others) process.kill(pid, 'SIGCONT')
    }
  }
}

describe('workers', () => {
  it('all answer, and one scrape counts what each of them did', async () => {
    const before = await metric('pharos_http_requests_total')
    let asked = 0
    await withEachAlone(async () => {
      expect((await lane().ask(...ASKS[0])).status).toBe(200)
      asked += 1
    })
    const workersSeen = () => new Set(lines('request.answered').map(({ worker }) => worker)).size
    await expect.poll(workersSeen).toBe(WORKERS)
    expect(await metric('pharos_http_requests_total')).toBeGreaterThanOrEqual(before + asked)
    expect(await metric('pharos_workers')).toBe(WORKERS)
    // All of them know it, and it is told once.
    const [head] = await home.query<{ height: number }>('SELECT max(height) AS height FROM blocks')
    expect(await metric('pharos_block_height')).toBeLessThanOrEqual(head?.height ?? 0)
  })

  it('hold sessions of long polling together, and those that become WebSockets', async () => {
    const clients: Awaited<ReturnType<typeof connect>>[] = []
    opened.push({ close: () => clients.forEach(({ socket }) => void socket.disconnect()) })
    await withEachAlone(async () => {
      const more = [['polling'], ['polling', 'websocket']].flatMap((transports) =>
        Array.from({ length: 2 }, () => connect(base, home.owner.key, { transports })),
      )
      clients.push(...(await Promise.all(more)))
    })
    expect(new Set(clients.map(({ socket }) => socket.io.engine.id.split('-')[0])).size).toBe(WORKERS)
    await Promise.all(clients.map(({ ask }) => ask('subscribe', { stream: 'beacons' })))
    await home.finalize(2)
    for (const client of clients) await expect.poll(() => client.beacons().length).toBe(2)
    for (const { socket } of clients) socket.disconnect()
  })

  it('know no session of a worker that is gone: the client is told to begin a new one', async () => {
    const answer = await fetch(`${base}/socket.io/?EIO=4&transport=polling&sid=999-AAAA`)
    expect([answer.status, await answer.json()]).toEqual([400, { code: 1, message: 'Session ID unknown' }])
  })

  it('have the built-in receiver together: each sends to its own, and all show what arrived', async () => {
    const post = (path: string, json: object) => ask(port(), path, { key: home.owner.key, body: { json } })
    const { address } = z
      .object({ address: z.object({ url: z.string(), token: z.string() }) })
      .parse((await post('/console/receiver', {})).json())
    const attributes = { url: address.url, resource_type: 'item', events: ['item.redacted'] }
    const { id } = resourceOf(
      await post('/api/json/webhook-endpoints', { data: { type: 'webhook_endpoint', attributes } }),
      201,
    )
    const samples = Array.from({ length: 4 * WORKERS }, () =>
      lane().ask('POST', `/api/json/webhook-endpoints/${id}/test`, '{"data":{}}'),
    )
    for (const { status } of await Promise.all(samples)) expect(status).toBe(201)
    const sent = await home.query(
      'SELECT status, error, count(*)::int AS n FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1, 2',
      [id],
    )
    expect(sent).toEqual([{ status: 'success', error: null, n: samples.length }])
    const seen = await ask(port(), `/console/receiver/${address.token}`, { key: home.owner.key })
    expect(seen.json()).toMatchObject({ requests: samples.map(() => ({ endpoint_id: id })) })
  })

  it('that are killed lose nothing that was answered, and are started again', async () => {
    const { held, joined } = follow()
    await expect.poll(joined).toBeGreaterThan(0)
    const [victim] = lines('worker.ready')
    let over = false
    let created = 0
    const load = Array.from({ length: 4 }, async () => {
      let { ask } = lane()
      while (!over)
        await ask(...ASKS[1]).then(
          ({ status }) => {
            expect(status).toBe(201)
            created += 1
          },
          () => {
            // The connection of the killed worker is cut. The client connects anew.
            ask = lane().ask
          },
        )
    })
    const before = await itemsStored()
    await expect.poll(() => created).toBeGreaterThan(20)
    process.kill(victim?.pid ?? 0, 'SIGKILL')
    await home.finalize()
    await expect.poll(() => lines('worker.ready').length).toBe(WORKERS + 1)
    await home.finalize()
    over = true
    await Promise.all(load)
    expect(lines('worker.ended')).toMatchObject([{ worker: victim?.worker, signal: 'SIGKILL' }])
    expect((await itemsStored()) - before).toBeGreaterThanOrEqual(created)
    expect(await metric('pharos_workers')).toBe(WORKERS)
    const [head] = await home.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    await expect.poll(() => held.at(-1)?.id).toBe(head?.id)
    for (const [index, { previous_hash }] of held.entries())
      if (index > 0) expect(previous_hash).toBe(held[index - 1]?.hash)
  })

  it('that stop with their server break no request, and leave no process behind', async () => {
    let created = 0
    const before = await itemsStored()
    const load = Array.from({ length: 6 }, async () => {
      const { ask } = lane()
      for (;;) {
        const answer = await ask(...ASKS[1])
        if (answer.status === 201) created += 1
        // Readiness fails first, so a balancer would send nobody any more.
        if (answer.headers.connection === 'close') return answer.status
      }
    })
    await expect.poll(() => created).toBeGreaterThan(20)
    server.kill('SIGTERM')
    expect(await Promise.all(load)).toEqual([201, 201, 201, 201, 201, 201])
    server.kill('SIGINT')
    expect(await itemsStored()).toBe(before + created)
    expect(await server.ended).toEqual({ code: 0, signal: null })
    for (const { pid } of lines('worker.ready')) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

function follow() {
  const follower = followBeacons(base, home.owner.key)
  opened.push(follower)
  return follower
}
