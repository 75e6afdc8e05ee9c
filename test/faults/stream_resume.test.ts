// Hundreds of clients, two servers, and random failures of everything between them and the ledger: no beacon
// is missing, repeated or out of order.
import { randomInt } from 'node:crypto'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'
import { sizeOf } from '../support/sizes.ts'
import { testLedger } from '../support/test_ledger.ts'
import { chainAbove, expectChain } from '../surfaces/console/chain.ts'
import { openClient } from '../surfaces/console/console_client.ts'
import { type ConsoleServer, startConsoleServer } from '../surfaces/console/console_server.ts'

const CLIENTS = sizeOf('chaos_clients')
/**
 * The least duration. The test goes on longer on a machine that has not yet made enough blocks and faults of
 * every kind.
 */
const CHAOS_MS = sizeOf('chaos_ms')
const LEAST_BLOCKS = 40

const ledger = testLedger()
let token: string
const stores: Store[] = []
const servers: (ConsoleServer | undefined)[] = []

const start = async (place: number): Promise<void> => {
  const store = stores[place]
  if (store === undefined) throw new Error('There is no such place.')
  const port = ports[place] ?? 0
  servers[place] = await startConsoleServer({ store, database: ledger.database }, { port })
  ports[place] = servers[place]?.port ?? 0
}
const ports: number[] = []

beforeAll(async () => {
  token = (await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })).secret
  for (const place of [0, 1]) {
    stores.push(openStore({ url: ledger.database.url, poolSize: 8 }))
    await start(place)
  }
})
afterAll(async () => {
  for (const server of servers) await server?.close()
  for (const store of stores) await store.close()
})

/** A typical client: it remembers the last id and resumes after it, on any server that answers. */
class Follower {
  readonly held: Beacon[] = []
  reconnects = -1
  socket: Socket | undefined
  readonly #transport: string
  readonly #stop = Promise.withResolvers<void>()
  #last: string
  #stopped = false

  constructor(last: string, transport: string) {
    this.#last = last
    this.#transport = transport
  }

  async follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#session()
      if (!this.#stopped) await new Promise((resolve) => setTimeout(resolve, randomInt(20, 300)))
    }
  }

  stop(): void {
    this.#stopped = true
    this.#stop.resolve()
  }

  async #session(): Promise<void> {
    this.reconnects += 1
    const url = `http://127.0.0.1:${ports[randomInt(2)]}`
    const { socket, ask } = openClient(url, { auth: { token }, transports: [this.#transport] })
    this.socket = socket
    socket.on('beacon.created', (beacon: Beacon) => {
      this.held.push(beacon)
      this.#last = beacon.id
    })
    const ended = new Promise<void>((resolve) => {
      socket.once('disconnect', () => resolve())
      socket.once('connect_error', () => resolve())
    })
    socket.once('welcome', () => {
      ask('subscribe', { stream: 'beacons', after: this.#last }).then(
        ({ ok }) => ok === true || socket.disconnect(),
        () => socket.disconnect(),
      )
    })
    // A client that is stopped while it connects gets no further event from its socket.
    await Promise.race([ended, this.#stop.promise])
    socket.disconnect()
  }
}

const LISTENING = `application_name = 'pharos listen'`
/**
 * The idle connections of the servers' pools. The session that makes blocks is not among them: its last
 * statement is a COMMIT, while the servers only read.
 */
const POOLED = `application_name IN ('pharos read', 'pharos watch', 'pharos write') AND state = 'idle' AND query NOT ILIKE 'commit%'`

/** Returns the number of ended connections. */
const terminate = async (which: string): Promise<number> => {
  const database = new URL(ledger.database.url).pathname.slice(1)
  const { rowCount } = await ledger.database.maintain(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND ${which}`,
    [database],
  )
  return rowCount ?? 0
}

const restart = async (place: number, how: 'crash' | 'close'): Promise<void> => {
  const server = servers[place]
  servers[place] = undefined
  await server?.[how]()
  await start(place)
}

describe('beacons through failures', () => {
  it('reach every client as one unbroken chain', { timeout: 400_000 }, async () => {
    const genesis = servers[0]?.feed.head().beacon
    if (genesis === undefined) throw new Error('There is no server.')
    const followers = Array.from(
      { length: CLIENTS },
      (_, index) => new Follower(genesis.id, index % 10 === 0 ? 'polling' : 'websocket'),
    )
    const following = followers.map((follower) => follower.follow())

    const done = performance.now() + CHAOS_MS
    const tally = { drops: 0, restarts: 0, listens: 0, pools: 0 }
    const reconnects = (): number => followers.reduce((sum, follower) => sum + follower.reconnects, 0)
    let blocks = 0
    const enough = (): boolean =>
      performance.now() > done &&
      blocks > LEAST_BLOCKS &&
      reconnects() > CLIENTS &&
      Object.values(tally).every((faults) => faults > 0)
    const making = (async () => {
      while (!enough()) {
        if ((await ledger.finalize()).outcome === 'finalized') blocks += 1
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    const breaking = (async () => {
      while (!enough()) {
        await new Promise((resolve) => setTimeout(resolve, randomInt(50, 250)))
        const fault = randomInt(20)
        if (fault < 12) {
          tally.drops += 1
          for (const server of servers) server?.dropSome(0.05)
          for (const { socket } of followers)
            if (Math.random() < 0.02 && socket?.connected) socket.io.engine?.close()
        } else if (fault < 15) {
          tally.restarts += 1
          await restart(randomInt(2), fault === 12 ? 'close' : 'crash')
        } else if (fault < 18) {
          tally.listens += await terminate(LISTENING)
        } else {
          tally.pools += await terminate(POOLED)
        }
      }
    })()
    await Promise.all([making, breaking])

    const chain = await chainAbove(ledger, 0)
    await expect
      .poll(() => followers.filter(({ held }) => held.at(-1)?.id !== chain.at(-1)?.id).length, {
        timeout: 200_000,
      })
      .toBe(0)
    for (const { held } of followers) expectChain(held, chain)
    console.info('stream_resume', { blocks, clients: CLIENTS, reconnects: reconnects(), ...tally })
    for (const follower of followers) follower.stop()
    await Promise.all(following)
  })
})
