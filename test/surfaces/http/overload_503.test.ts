// Beyond its capacity the service says so early, and whoever asks for little goes on beside whoever asks for much.
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { watchLoopDelay } from '../../../server/admission/loop.ts'
import { boundConnections } from '../../../server/admission/places.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { type Answer, ask, openWire, type Wire } from '../../support/http.ts'
import { refusals } from '../jsonapi/documents.ts'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const open = async (parts: Parameters<typeof openTestApp>[0]): Promise<TestApp> => {
  const app = await openTestApp(parts)
  closing.push(app.close)
  return app
}

/** A large request that stays: its body never ends. */
async function linger(app: TestApp, key: string): Promise<Wire> {
  const wire = await openWire(app.port)
  closing.push(() => wire.socket.destroy())
  wire.write(
    `POST /api/json/utilities/hash HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"data":`,
  )
  return wire
}

const large = (app: TestApp, key: string) =>
  ask(app.port, '/api/json/utilities/hash', { key, body: { json: { data: { text: 'x'.repeat(20_000) } } } })

/**
 * A large request that is not answered, because another one of the caller has the only turn: those that somebody else
 * sends after it are.
 */
async function untilOneWaits(
  app: TestApp,
  key: string,
  other: string,
): Promise<{ readonly answered: Promise<Answer> }> {
  for (;;) {
    let isAnswered = false
    const answered = large(app, key).finally(() => {
      isAnswered = true
    })
    for (let after = 0; after < 5; after += 1) await large(app, other)
    if (!isAnswered) return { answered }
  }
}

describe('503 overloaded', () => {
  it('is told at once to whoever has too many large requests waiting, with Retry-After; small ones and others go on', async () => {
    const app = await open({ ceilings: { large_requests_per_caller: 1, large_requests_waiting: 1 } })
    const { key } = app.owner
    const other = await app.account('grace')
    await linger(app, key)
    const waits = await linger(app, key)
    await expect
      .poll(async () => (await Promise.race([large(app, key), wait(500)]))?.status ?? 'waits')
      .toBe(503)
    const refused = await large(app, key)
    expect(refusals(refused)).toEqual(['503 overloaded'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((refused.json() as { errors: object[] }).errors[0]).toMatchObject({ meta: { maximum: 1 } })
    expect((await ask(app.port, '/api/json/beacons/latest', { key })).status).toBe(200)
    expect((await large(app, other.key)).status).toBe(201)
    const graphql = await ask(app.port, '/gql', {
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ latestBeacon { id } }' }),
    })
    expect([graphql.status, graphql.headers['retry-after'] !== undefined]).toEqual([503, true])
    expect(graphql.text).toContain('overloaded')
    waits.socket.destroy()
  })

  it('frees a turn when its client goes away', async () => {
    const app = await open({ ceilings: { large_requests_per_caller: 1 } })
    const other = await app.account('grace')
    const first = await linger(app, app.owner.key)
    const { answered } = await untilOneWaits(app, app.owner.key, other.key)
    first.socket.destroy()
    expect((await answered).status).toBe(201)
  })

  it('is told where more requests are under way than a server takes; health goes on', async () => {
    const app = await open({ ceilings: { requests: 2 } })
    const latest = () => ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
    // The second that stays is itself refused when it comes beside the small one.
    const statusBesideAnother = async () => {
      await linger(app, app.owner.key)
      return (await latest()).status
    }
    await expect.poll(statusBesideAnother).toBe(503)
    expect(refusals(await latest())).toEqual(['503 overloaded'])
    expect((await ask(app.port, '/health/ready')).status).toBe(200)
  })
})

describe('the delay of the loop', () => {
  it('is known while a stall goes on, fades after it, and is next to nothing without one', async () => {
    const { delayMs, close } = watchLoopDelay()
    const until = performance.now() + 300
    while (performance.now() < until);
    expect(delayMs()).toBeGreaterThan(200)
    await expect.poll(delayMs).toBeLessThan(100)
    close()
  })
})

describe('TCP connections', () => {
  const listen = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    closing.push(
      () => server.closeAllConnections(),
      () => new Promise((resolve) => server.close(resolve)),
    )
    return (server.address() as AddressInfo).port
  }
  const dial = (port: number) => {
    const socket = connect(port, '127.0.0.1')
    closing.push(() => socket.destroy())
    socket.on('error', () => undefined)
    return socket
  }

  it('of one address have a ceiling, and closed ones count no more', async () => {
    const server = createHttpServer((_request, response) => void response.end())
    const refused: string[] = []
    boundConnections(server, {
      ceilings: ceilings({ connections_per_address: 2 }),
      trusted: addressRanges(''),
      onRefused: ({ of, address }) => refused.push(`${of} ${address}`),
    })
    const port = await listen(server)
    const [first] = [dial(port), dial(port)]
    const third = dial(port)
    await once(third, 'close')
    expect(refused).toEqual(['address 127.0.0.1'])
    first?.destroy()
    await expect
      .poll(async () => {
        const again = dial(port)
        again.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        const closed = () => 'closed'
        const heard = once(again, 'data').then(() => 'answered', closed)
        return Promise.race([once(again, 'close').then(closed, closed), heard])
      })
      .toBe('answered')
  })

  it('of a trusted proxy have none but the server’s', async () => {
    const server = createHttpServer()
    const refused: string[] = []
    boundConnections(server, {
      ceilings: ceilings({ connections: 3, connections_per_address: 1 }),
      trusted: addressRanges('127.0.0.1'),
      onRefused: ({ of, address }) => refused.push(`${of} ${address}`),
    })
    const port = await listen(server)
    const three = [dial(port), dial(port), dial(port)]
    await Promise.all(three.map((socket) => once(socket, 'connect')))
    await once(dial(port), 'close')
    expect(refused).toEqual(['server 127.0.0.1'])
    expect(three.some(({ destroyed }) => destroyed)).toBe(false)
  })
})

const wait = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms, undefined))
