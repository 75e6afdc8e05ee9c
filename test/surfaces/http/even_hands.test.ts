// No caller feels another: whoever asks one after the other is answered, whatever others have side by side.
import { once } from 'node:events'
import pg from 'pg'
import { describe, expect, it, type TestContext } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { openWire } from '../../support/http.ts'
import { type Lane, openLane } from '../../support/keep_alive_lane.ts'
import { claimsOf } from '../../support/ledger.ts'
import { insertBlocks, insertItems } from '../jsonapi/crowd.ts'

/** What a test opens is closed when it is over, the last first. */
type Test = Pick<TestContext, 'expect' | 'onTestFinished'>

async function open(test: Test, parts: Parameters<typeof openTestApp>[0] = {}): Promise<TestApp> {
  const app = await openTestApp(parts)
  test.onTestFinished(app.close)
  return app
}

function lane(test: Test, app: TestApp, key: string): Lane {
  const opened = openLane(app.port, key)
  test.onTestFinished(opened.close)
  return opened
}

const list = (query: string): string => `/api/json/${query}`
const graphql = (query: string) => JSON.stringify({ query })

/** Asks one after the other. @returns how many answers had each status */
async function oneAfterTheOther(
  times: number,
  ask: (n: number) => Promise<{ readonly status: number | undefined; readonly body: string }>,
): Promise<Record<string, number>> {
  const told: Record<string, number> = {}
  for (let n = 0; n < times; n += 1) {
    const { status, body } = await ask(n)
    const said = body.includes('overloaded') ? 'overloaded' : String(status)
    told[said] = (told[said] ?? 0) + 1
  }
  return told
}

/** What reads deliveries waits for this lock, and so takes as long as the most expensive query there is. */
async function lockDeliveries(test: Test, app: TestApp): Promise<() => Promise<void>> {
  const locker = new pg.Client({ connectionString: app.database.url })
  await locker.connect()
  await locker.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE')
  let ended: Promise<void> | undefined
  const unlock = (): Promise<void> => {
    ended ??= locker.end()
    return ended
  }
  test.onTestFinished(unlock)
  return unlock
}

const SLOW = list('webhook-deliveries?filter[event_type][contains]=x&page[count]=true')

describe('whoever asks one after the other', () => {
  it('is never refused while others are here: expensive lists over JSON:API, the next when the answer is there', async (test) => {
    const app = await open(test)
    const [other, own] = [lane(test, app, (await app.account('grace')).key), lane(test, app, app.owner.key)]
    const told = await oneAfterTheOther(110, async (n) => {
      await other.ask('GET', list('beacons/latest'))
      return own.ask('GET', list(n % 2 === 0 ? 'blocks?filter[not][height]=5' : 'items?page[count]=true'))
    })
    expect(told).toEqual({ 200: 110 })
  })

  it('is never refused on the way through a list by its links', async (test) => {
    const app = await open(test)
    await insertBlocks(app.query, 150)
    const [other, own] = [lane(test, app, (await app.account('grace')).key), lane(test, app, app.owner.key)]
    let path: string | null = list('blocks?filter[state][not_eq]=committed&page[limit]=5')
    let pages = 0
    for (; path !== null; pages += 1) {
      await other.ask('GET', list('beacons/latest'))
      const { status, body } = await own.ask('GET', path)
      expect(status, body).toBe(200)
      const { next }: { next: string | null } = JSON.parse(body).links
      path = next === null ? null : next.slice(app.base.length)
    }
    expect(pages).toBeGreaterThanOrEqual(30)
  })

  it('is never refused over GraphQL', async (test) => {
    const app = await open(test)
    const [other, own] = [lane(test, app, (await app.account('grace')).key), lane(test, app, app.owner.key)]
    const asked = graphql('{ listBlocks(filter: {height: {greaterThan: 0}}, first: 5) { count } }')
    const told = await oneAfterTheOther(60, async () => {
      await other.ask('GET', list('beacons/latest'))
      return own.ask('POST', '/gql', asked)
    })
    expect(told).toEqual({ 200: 60 })
  })

  it('is answered within 15 seconds beside fifty callers who each keep ten expensive reads of five seconds going', async (test) => {
    const app = await open(test)
    const greedy = await Promise.all(Array.from({ length: 50 }, (_, n) => app.account(`greedy${n}`)))
    const grace = lane(test, app, (await app.account('grace')).key)
    const alan = lane(test, app, (await app.account('alan')).key)
    const unlock = await lockDeliveries(test, app)
    let isOver = false
    const statuses = new Set<number | undefined>()
    const siege = greedy.flatMap(({ key }) =>
      Array.from({ length: 10 }, async () => {
        const own = lane(test, app, key)
        while (!isOver) {
          const { status } = await own.ask('GET', SLOW)
          // How long the rest waits once it is over is a matter of the machine.
          if (!isOver) statuses.add(status)
        }
      }),
    )
    const ms = async (asked: Promise<unknown>): Promise<number> => {
      const began = performance.now()
      await asked
      return performance.now() - began
    }
    // All of them are here when the server has time again.
    await expect.poll(() => statuses.size).toBeGreaterThan(0)
    await expect.poll(() => ms(grace.ask('GET', list('beacons/latest')))).toBeLessThan(500)
    const waits: number[] = []
    const read = async (by: Lane, path: string): Promise<void> => {
      const asked = by.ask('GET', list(path))
      waits.push(await ms(asked.then(({ status, body }) => expect(status, body).toBe(200))))
    }
    await Promise.all([
      read(grace, 'blocks?filter[height][gte]=0').then(() => read(grace, 'items?page[count]=true')),
      read(alan, 'blocks?include=items').then(async () => {
        const asked = alan.ask('POST', '/gql', graphql('{ listItems { count } }'))
        waits.push(
          await ms(asked.then(({ body }) => expect(body).toBe('{"data":{"listItems":{"count":0}}}'))),
        )
      }),
    ])
    isOver = true
    await unlock()
    await Promise.all(siege)
    expect(Math.max(...waits)).toBeLessThan(15_000)
    // Waiting is not counted in the five seconds: what was refused, was refused for its own time.
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([])
  })
})

/** An account whose page of items has as many megabytes as an answer may have. */
async function withLargePages(app: TestApp, name: string, from: number) {
  const account = await app.account(name)
  // An answer has no room for more of them.
  const crowd = { team: account.teamId, creator: account.userId, from, count: 170 }
  await insertItems(app.query, crowd)
  await app.query(
    `UPDATE items SET claims = '{"name":"' || repeat('x', 60000) || '"}' WHERE creator_id = $1 AND claims IS NOT NULL`,
    [account.userId],
  )
  return account
}

const PAGE = list('items?page[limit]=250')
const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

describe('the places of lists', () => {
  it('are not held by answers that cannot leave yet: a connection that pipelines waits for itself alone', async (test) => {
    const app = await open(test)
    const [pipelining, other] = [
      await app.account('heidi'),
      lane(test, app, (await app.account('grace')).key),
    ]
    const wires = await Promise.all(Array.from({ length: 5 }, () => openWire(app.port)))
    test.onTestFinished(() => wires.forEach(({ socket }) => void socket.destroy()))
    for (const { write } of wires) write(get(list('items?page[limit]=1'), pipelining.key).repeat(7))
    expect((await other.ask('GET', list('items?page[limit]=1'))).status).toBe(200)
    for (const { until } of wires)
      expect((await until((text) => text.split('HTTP/1.1 ').length === 8)).split('HTTP/1.1 200').length).toBe(
        8,
      )
  })

  it('pipelined requests are begun one after the other, and no more of them is read than may wait', async (test) => {
    const app = await open(test)
    const unlock = await lockDeliveries(test, app)
    const wire = await openWire(app.port)
    test.onTestFinished(() => void wire.socket.destroy())
    wire.write(get(SLOW, app.owner.key))
    const requests = 2_000
    wire.write(get(list(`nothing?${'x'.repeat(12_000)}`), app.owner.key).repeat(requests))
    // The first is answered when its five seconds are over. Until then most of the others have not left the client.
    await wire.until((text) => text.includes('query_too_expensive'))
    expect(wire.socket.writableLength).toBeGreaterThan(4_000_000)
    await unlock()
    const text = await wire.until((all) => all.split('no_route_found').length > requests)
    expect(text.split('HTTP/1.1 404')).toHaveLength(requests + 1)
  })

  it('a request behind an answer that closes the connection is not carried out', async (test) => {
    const app = await open(test)
    const wire = await openWire(app.port)
    const create = (length: number, body: string): string =>
      `POST ${list('items')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`
    const body = JSON.stringify({ data: { type: 'item', attributes: { claims: claimsOf('once') } } })
    wire.write(create(body.length, body).repeat(3))
    expect((await wire.ended).split('HTTP/1.1 201')).toHaveLength(2)
    expect(await app.query('SELECT count(*)::int FROM items')).toEqual([{ count: 1 }])
  })

  it('are not kept by clients that take their answers slowly while somebody waits', async (test) => {
    const app = await open(test, { ceilings: { lists: 3, lists_per_caller: 2 } })
    const slow = await Promise.all([1, 2].map((n) => withLargePages(app, `slow${n}`, n * 10_000)))
    const innocent = lane(test, app, (await app.account('grace')).key)
    const wires = await Promise.all(slow.flatMap(({ key }) => [key, key]).map(() => openWire(app.port)))
    test.onTestFinished(() => wires.forEach(({ socket }) => void socket.destroy()))
    // Each takes a little now and then, so that its connection is never silent for long.
    for (const [index, { socket, write }] of wires.entries()) {
      write(get(PAGE, slow[index % 2]?.key ?? ''))
      socket.pause()
      const timer = setInterval(() => {
        socket.resume()
        setImmediate(() => socket.pause())
      }, 1_000)
      test.onTestFinished(() => clearInterval(timer))
    }
    const began = performance.now()
    for (let n = 0; n < 3; n += 1)
      expect((await innocent.ask('GET', list('items?page[limit]=1'))).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('a client that takes its answer is not cut, however many wait', async (test) => {
    const app = await open(test, { ceilings: { lists: 2, lists_per_caller: 1 } })
    const readers = await Promise.all([1, 2, 3].map((n) => withLargePages(app, `reader${n}`, n * 10_000)))
    const told = await Promise.all(
      readers.flatMap(({ key }) =>
        Array.from({ length: 3 }, () => oneAfterTheOther(1, () => lane(test, app, key).ask('GET', PAGE))),
      ),
    )
    expect(told).toEqual(told.map(() => ({ 200: 1 })))
  })
})

// Most of what these take is waiting, so they wait beside each other.
describe.concurrent('the places of large requests', () => {
  /** Sends the head of a large request, and then a little of its body now and then, until it is to end it. */
  async function sendSlowly(test: Test, app: TestApp, key: string) {
    const wire = await openWire(app.port)
    const body = JSON.stringify({ data: { text: 'x'.repeat(20_000) } })
    wire.write(
      `POST /api/json/utilities/hash HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    let sent = 0
    const send = (until: number): void => {
      wire.write(body.slice(sent, until))
      sent = until
    }
    const timer = setInterval(() => send(sent + 100), 200)
    const stop = () => clearInterval(timer)
    test.onTestFinished(() => {
      stop()
      wire.socket.destroy()
    })
    const end = (): void => {
      stop()
      send(body.length)
    }
    return { end, until: wire.until }
  }

  /** Longer than a slow client keeps a place that somebody waits for. */
  const LONG_MS = 6_500

  it('are not kept by clients that send their bodies slowly while somebody waits', async (test) => {
    const app = await open(test, { ceilings: { large_requests: 3, large_requests_per_caller: 2 } })
    const greedy = await Promise.all(['a', 'b'].map((name) => app.account(name)))
    for (const { key } of greedy.flatMap((one) => [one, one])) await sendSlowly(test, app, key)
    const innocent = lane(test, app, (await app.account('grace')).key)
    const body = JSON.stringify({ data: { text: 'x'.repeat(30_000) } })
    const began = performance.now()
    for (let n = 0; n < 3; n += 1)
      expect((await innocent.ask('POST', list('utilities/hash'), body)).status).toBe(201)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('are kept by clients that send slowly while only their own requests wait', async (test) => {
    const app = await open(test, { ceilings: { large_requests: 3, large_requests_per_caller: 1 } })
    const began = performance.now()
    const both = [await sendSlowly(test, app, app.owner.key), await sendSlowly(test, app, app.owner.key)]
    await test.expect.poll(() => performance.now() - began, { interval: 250 }).toBeGreaterThan(LONG_MS)
    for (const { end } of both) end()
    for (const { until } of both)
      expect(await until((text) => text.includes('HTTP/1.1 '))).toContain('HTTP/1.1 201')
  })
})

describe('requests under way', () => {
  it('of few callers leave room for one more caller', async (test) => {
    const app = await open(test, { ceilings: { requests: 8 } })
    const linger = async (key: string) => {
      const wire = await openWire(app.port)
      test.onTestFinished(() => void wire.socket.destroy())
      wire.write(
        `POST /api/json/utilities/hash HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data":',
      )
      return wire
    }
    const greedy = await Promise.all(['a', 'b', 'c'].map((name) => app.account(name)))
    const wires = await Promise.all(greedy.flatMap(({ key }) => Array.from({ length: 8 }, () => linger(key))))
    const refused = () => wires.filter(({ received }) => received().includes('503')).length
    await expect.poll(refused).toBe(24 - 7)
    const { status } = await lane(test, app, app.owner.key).ask('GET', list('beacons/latest'))
    expect(status).toBe(200)
    await Promise.all(
      wires.map(({ socket }) => (socket.destroyed ? undefined : once(socket.destroy(), 'close'))),
    )
  })
})
