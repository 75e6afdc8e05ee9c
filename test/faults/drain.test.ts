// A server that stops breaks nothing: first its readiness fails, then it answers the remaining requests, then
// it says that it is shutting down.
import { connect as dial } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder, undoAll } from '../store/embedded_support.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ASKS, type Lane, openLane } from '../support/keep_alive_lane.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { spawnServer } from '../support/server_process.ts'

let home: TestApp
const opened: { close: () => unknown }[] = []
beforeEach(async () => {
  home = await openTestApp()
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  await home.close()
  await undoAll()
})

const lane = (port: number): Lane => {
  const made = openLane(port, home.owner.key)
  opened.push(made)
  return made
}

describe('a server that was told to stop', () => {
  it('is not ready at once, answers new requests on old connections, and says with each that it is the last there', async () => {
    const lanes = Array.from({ length: 5 }, () => lane(home.port))
    for (const { ask } of lanes) expect((await ask('GET', '/health/ready')).status).toBe(200)
    home.withdraw()
    for (const { ask, connections } of lanes) {
      const last = await ask(...ASKS[1])
      expect([last.status, last.headers.connection]).toEqual([201, 'close'])
      expect(connections()).toBe(1)
      const moved = await ask('GET', '/health/ready')
      expect([moved.status, moved.headers.connection, JSON.parse(moved.body)]).toEqual([
        503,
        'close',
        { ready: false, stopping: true },
      ])
      expect((await ask('GET', '/health/live')).status).toBe(200)
      expect(connections()).toBe(3)
    }
  })

  it('lets requests under way finish', async () => {
    const blocker = await holdItems('SHARE')
    const slow = lane(home.port).ask(...ASKS[1])
    await expect.poll(blocker.waiting).toBeGreaterThan(0)
    const stopped = home.stop()
    await blocker.release()
    const answer = await slow
    expect([answer.status, answer.headers.connection]).toEqual([201, 'close'])
    await stopped
  })

  it('tells what it has no more time for, and whoever comes too late, that it is shutting down', async () => {
    const early = dial(home.port, '127.0.0.1')
    opened.push({ close: () => early.destroy() })
    // Half a request: this connection is not idle and has not asked for anything yet.
    early.write(
      `GET /api/json/beacons/latest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${home.owner.key}\r\n`,
    )
    const blocker = await holdItems('ACCESS EXCLUSIVE')
    const slow = lane(home.port).ask('GET', '/api/json/items')
    await expect.poll(blocker.waiting).toBeGreaterThan(0)
    const stopped = home.stop()
    const late = new Promise<string>((resolve) => {
      let text = ''
      early.on('data', (part) => {
        text += part.toString()
      })
      early.on('close', () => resolve(text))
    })
    early.write('\r\n')
    for (const [status, code, retryAfter, connection] of [
      (({ status, headers, body }) => [
        status,
        JSON.parse(body).errors[0].code,
        headers['retry-after'],
        headers.connection,
      ])(await slow),
      ((text) => [
        Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
        /"code":"(\w+)"/.exec(text)?.[1],
        /^Retry-After: (\d+)/im.exec(text)?.[1],
        /^Connection: (\w+)/im.exec(text)?.[1],
      ])(await late),
    ])
      expect([status, code, retryAfter, connection]).toEqual([503, 'shutting_down', '2', 'close'])
    await blocker.release()
    await stopped
  })
})

describe('the process', () => {
  const settings = async () => ({
    DATABASE_URL: home.database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: await temporaryFolder(),
  })

  it('goes on answering after SIGTERM while readiness fails, and ends well once it is stopped by hand', async () => {
    const server = spawnServer({ ...(await settings()), STOP_DELAY: '60s' })
    const base = await server.ready
    const { ask } = lane(Number(new URL(base).port))
    expect((await ask(...ASKS[0])).status).toBe(200)
    server.kill('SIGTERM')
    await expect.poll(async () => (await ask('GET', '/health/ready')).status).toBe(503)
    expect((await ask(...ASKS[1])).status).toBe(201)
    expect(server.said()).not.toContain('service.stopped')
    server.kill('SIGINT')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(server.said()).toContain('service.stopped')
  })

  it('ends by itself when STOP_DELAY is over', async () => {
    const server = spawnServer({ ...(await settings()), STOP_DELAY: '500ms' })
    await server.ready
    server.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(server.said()).toContain('service.stopped')
  })

  it('does not make whoever stops it by hand wait', async () => {
    const server = spawnServer({ ...(await settings()), STOP_DELAY: '60s' })
    await server.ready
    const began = performance.now()
    server.kill('SIGINT')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})

/** No session can write an item (in exclusive mode: read one) until the lock is released. */
async function holdItems(mode: 'SHARE' | 'ACCESS EXCLUSIVE') {
  const client = new pg.Client({ connectionString: home.database.url })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE items IN ${mode} MODE`)
  opened.push({ close: () => client.end() })
  return {
    waiting: async () =>
      (
        await home.query<{ waiting: number }>(
          `SELECT count(*)::integer AS waiting FROM pg_locks WHERE NOT granted AND relation = 'items'::regclass`,
        )
      )[0]?.waiting,
    release: async () => {
      await client.query('ROLLBACK')
    },
  }
}
