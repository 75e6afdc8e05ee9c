import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { insertBlocks } from '../jsonapi/crowd.ts'
import { chainAbove, expectChain, makeBlocks } from './chain.ts'
import { type ConsoleClient, connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

/** A day of blocks. */
const DAY = 1_440

const ledger = testLedger()
let server: ConsoleServer
let other: ConsoleServer
let token: string
let genesis: Beacon
const clients: ConsoleClient[] = []

beforeAll(async () => {
  token = (await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })).secret
  server = await startConsoleServer(ledger)
  other = await startConsoleServer(ledger)
  genesis = server.feed.head().beacon
  await insertBlocks(ledger.database.query, DAY - 1)
  await makeBlocks(ledger, 1)
})
afterAll(() => Promise.all([server.close(), other.close()]))
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.disconnect()
})

const join = async (on: ConsoleServer, transports: string[] = ['websocket']) => {
  const client = await connect(on.url, token, { transports })
  clients.push(client)
  return client
}
const heightNow = () => server.feed.head().height

describe('beacons', () => {
  for (const transport of ['websocket', 'polling'])
    it(`catch up from genesis over a day of blocks and go on live, over ${transport}`, async () => {
      // The head that is acknowledged is the last of them only once the server has heard of all.
      const { length } = await chainAbove(ledger, 0)
      await eventually(heightNow).toBe(length)
      const client = await join(server, [transport])
      const answer = await client.ask('subscribe', { stream: 'beacons', after: genesis.id })
      expect(answer.ok).toBe(true)
      await eventually(() => client.beacons().at(-1)?.id).toBe((answer.head as Beacon).id)
      await makeBlocks(ledger, 5)
      const chain = await chainAbove(ledger, 0)
      await eventually(() => client.beacons().length).toBe(chain.length)
      expectChain(client.beacons(), chain)
      expect(Object.keys(client.beacons()[0] ?? {})).toEqual(['id', 'hash', 'timestamp', 'previous_hash'])
    })

  it('begin after the head that is acknowledged when no place is given', async () => {
    const client = await join(server)
    const { head } = await client.ask('subscribe', { stream: 'beacons' })
    await makeBlocks(ledger, 3)
    await eventually(() => client.beacons().length).toBe(3)
    expect(client.beacons()[0]?.previous_hash).toBe((head as Beacon).hash)
  })

  it('have no gap between catching up and live, while blocks are made without a pause', async () => {
    const chain = await chainAbove(ledger, 0)
    const all = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        join(index % 2 === 0 ? server : other, index % 6 === 5 ? ['polling'] : ['websocket']),
      ),
    )
    const starts = [0, 1, 249, 250, 251, 700, chain.length - 2, chain.length - 1]
    let making = true
    const made = (async () => {
      while (making) await makeBlocks(ledger, 1)
    })()
    await Promise.all(
      all.map((client, index) =>
        client.ask('subscribe', { stream: 'beacons', after: chain[starts[index % starts.length] ?? 0]?.id }),
      ),
    )
    // Everybody has joined the live ones while more kept coming.
    const live = heightNow()
    await eventually(
      () => all.every((client) => client.beacons().length > 0) && heightNow() > live + 100,
    ).toBe(true)
    making = false
    await made
    const now = await chainAbove(ledger, 0)
    for (const [index, client] of all.entries()) {
      const expected = now.slice((starts[index % starts.length] ?? 0) + 1)
      await eventually(() => client.beacons().length).toBe(expected.length)
      expectChain(client.beacons(), expected)
    }
  })

  it('start over where a new subscription says; the old one sends nothing after the answer', async () => {
    const chain = await chainAbove(ledger, 0)
    const client = await join(server)
    const from = [0, 1_000, 0, 1_300]
    const marks: number[] = []
    // Counted in the acknowledgement itself: a promise would be told a few beacons later.
    for (const index of from)
      client.socket.emit('subscribe', { stream: 'beacons', after: chain[index]?.id }, () =>
        marks.push(client.beacons().length),
      )
    const expected = chain.slice(1_301)
    await eventually(() => marks.length === 4 && client.beacons().at(-1)?.id).toBe(chain.at(-1)?.id)
    expectChain(client.beacons().slice(marks.at(-1)), expected)
    await makeBlocks(ledger, 2)
    await eventually(() => client.beacons().slice(marks.at(-1)).length).toBe(expected.length + 2)
  })

  it('resume at one server where another one stopped, even when that one knows more', async () => {
    const first = await join(server)
    await first.ask('subscribe', { stream: 'beacons' })
    const held: Beacon[] = []
    let last = server.feed.head().beacon
    for (let round = 0; round < 20; round += 1) {
      await makeBlocks(ledger, 2)
      // The id is of a block that the other server may not have heard of yet.
      const head = (await chainAbove(ledger, heightNow() - 3)).at(-1)
      const next = await join(round % 2 === 0 ? other : server)
      const answer = await next.ask('subscribe', { stream: 'beacons', after: last.id })
      expect(answer.ok).toBe(true)
      await eventually(() => next.beacons().at(-1)?.id).toBe(head?.id)
      held.push(...next.beacons())
      last = held.at(-1) ?? last
      const ahead = await join(round % 2 === 0 ? server : other)
      expect(await ahead.ask('subscribe', { stream: 'beacons', after: last.id })).toEqual({
        ok: true,
        head: last,
      })
    }
    await eventually(() => first.beacons().length).toBe(held.length)
    expectChain(held, first.beacons())
  })

  it('are unknown when they belong to no block of this ledger', async () => {
    const client = await join(server)
    const answer = await client.ask('subscribe', { stream: 'beacons', after: newUuid7() })
    expect(answer).toEqual({
      ok: false,
      code: 'unknown_beacon',
      message: expect.any(String),
      head: server.feed.head().beacon,
    })
  })
})

describe('the beacon feed', () => {
  it('hands on each beacon once and in order, and calls its head fresh only while it is', async () => {
    const heard: number[] = []
    const stop = server.feed.onBeacon(({ height }) => heard.push(height))
    const thrower = server.feed.onBeacon(() => {
      throw new Error('a listener of no concern to the others')
    })
    const start = heightNow()
    await makeBlocks(ledger, 10)
    await Promise.all(Array.from({ length: 20 }, () => server.feed.refresh()))
    expect(heard).toEqual(Array.from({ length: 10 }, (_, index) => start + index + 1))
    // A notice of one of these blocks may arrive only now, and until it is read the head does not count as fresh.
    await eventually(() => server.feed.headIfFresh(5_000)?.height).toBe(start + 10)
    expect(server.feed.headIfFresh(0)).toBeUndefined()
    const told = server.feed.refresh()
    expect(server.feed.headIfFresh(5_000)).toBeUndefined()
    await told
    await eventually(() => server.feed.headIfFresh(5_000)?.height).toBe(start + 10)
    stop()
    thrower()
  })
})
