// The connection that hears notices: there again whenever it is lost, and everybody told when notices may have been missed.
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listenForNotices, type NoticeListener } from '../../server/store/listen.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'

const SOON = { timeout: 60_000, interval: 10 }

let database: TestDatabase
beforeEach(async () => {
  database = await cloneDatabase()
})
afterEach(() => database.drop())

function start(url = database.url) {
  const heard: string[] = []
  const lost: string[] = []
  let connects = 0
  const listener: NoticeListener = listenForNotices({
    url,
    channels: ['one', 'two'],
    onNotice: (channel, payload) => heard.push(`${channel} ${payload}`),
    onConnect: () => {
      connects += 1
    },
    onLost: ({ message }) => lost.push(message),
  })
  return { listener, heard, lost, connects: () => connects }
}

const name = () => new URL(database.url).pathname.slice(1)
const listening = async (): Promise<number> => {
  const { rowCount } = await database.maintain(
    `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND application_name = 'pharos listen'`,
    [name()],
  )
  return rowCount ?? 0
}
const cut = () =>
  database.maintain(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'pharos listen'`,
    [name()],
  )

describe('the connection that hears notices', () => {
  it('is made again after each loss, which is told once, and then hears every channel', async () => {
    const { listener, heard, lost, connects } = start()
    for (let round = 1; round <= 3; round += 1) {
      await expect.poll(connects, SOON).toBe(round)
      expect([listener.connected(), lost.length, await listening()]).toEqual([true, round - 1, 1])
      await cut()
      await expect.poll(() => lost.length, SOON).toBe(round)
    }
    await expect.poll(connects, SOON).toBe(4)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`SELECT pg_notify('one', 'a'), pg_notify('two', 'b')`)
    await client.end()
    await expect.poll(() => heard, SOON).toEqual(['one a', 'two b'])
    await listener.close()
    await expect.poll(listening, SOON).toBe(0)
    expect([listener.connected(), lost.length, connects()]).toEqual([false, 3, 4])
  })

  it('is tried again and again while there is nobody, less and less often', async () => {
    const url = new URL(database.url)
    url.port = '1'
    const { listener, lost } = start(url.href)
    const began = performance.now()
    await expect.poll(() => lost.length, SOON).toBe(4)
    // 100, 200 and 400 ms, each of which Node counts from a moment before. As often as at first would be 300 ms.
    expect(performance.now() - began).toBeGreaterThan(600)
    expect(listener.connected()).toBe(false)
    await listener.close()
  })
})
