import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { connect, eventually, openClient } from './console_client.ts'
import { type ConsoleServer, type ConsoleServerOptions, startConsoleServer } from './console_server.ts'
import { openRaw, type RawWebSocket } from './raw_websocket.ts'

const ledger = testLedger()
let server: ConsoleServer
let token: string

const serve = (options: ConsoleServerOptions = {}) => startConsoleServer(ledger, options)

beforeAll(async () => {
  server = await serve()
  token = (await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })).secret
})
afterAll(() => server.close())

/** The widest an item gets in an event: about 6 KB. */
const wide = Array.from(
  { length: 20 },
  (_, index) => `${String(index).padStart(2, '0')}${'\u{1f5fc}'.repeat(62)}`,
)

const reasons = (of: ConsoleServer) =>
  of.lines.filter(({ msg }) => msg === 'stream.ended').map(({ reason }) => reason)

/** Joins the namespace on a bare connection. */
const join = async (): Promise<RawWebSocket> => {
  const raw = await openRaw(server.port)
  raw.send(`40/console,${JSON.stringify({ token })}`)
  await eventually(() => raw.frames.some((frame) => frame.includes('"welcome"'))).toBe(true)
  return raw
}

describe('commands', () => {
  it('are 60 in 10 s; what is above is refused with the time to wait, and the connection stays', async () => {
    const client = await connect(server.url, token)
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        client.ask(index % 2 === 0 ? 'unsubscribe' : 'nonsense', { stream: 'beacons' }),
      ),
    )
    expect(answers.filter(({ code }) => code === 'rate_limited')).toHaveLength(10)
    expect(answers.slice(60)).toEqual(
      Array.from({ length: 10 }, () => ({
        ok: false,
        code: 'rate_limited',
        message: expect.any(String),
        retry_after_ms: expect.any(Number),
      })),
    )
    expect(answers[60]?.retry_after_ms).toBeLessThanOrEqual(10_000)
    expect(client.socket.connected).toBe(true)
    client.socket.disconnect()
  })

  it('sent by the hundred end the connection', async () => {
    const client = await connect(server.url, token)
    for (let sent = 0; sent < 700; sent += 1) client.socket.emit('subscribe', { stream: 'beacons' })
    await client.ended
    await eventually(() => reasons(server).at(-1)).toBe('flood')
  })
})

describe('a frame above 64 KiB', () => {
  it('ends a WebSocket; one just below does not', async () => {
    const raw = await join()
    raw.send(`42/console,["nonsense",{"x":"${'x'.repeat(60_000)}"}]`)
    raw.send('42/console,7["unsubscribe",{"stream":"beacons"}]')
    await eventually(() => raw.frames.some((frame) => frame.startsWith('43/console,7'))).toBe(true)
    raw.send(`42/console,["nonsense",{"x":"${'x'.repeat(66_000)}"}]`)
    await raw.closed
  })

  it('ends a polling client', async () => {
    const client = await connect(server.url, token, { transports: ['polling'] })
    client.socket.emit('nonsense', { x: 'x'.repeat(66_000) })
    await client.ended
  })
})

describe('one payload of thousands of packets', () => {
  it('ends a polling client after the packets it may send; the rest is not looked at', async () => {
    const at = `${server.url}/socket.io/?EIO=4&transport=polling`
    const opened = await (await fetch(at)).text()
    const { sid } = JSON.parse(opened.slice(1))
    const post = (body: string) => fetch(`${at}&sid=${sid}`, { method: 'POST', body })
    const poll = async () => (await fetch(`${at}&sid=${sid}`)).text()
    expect((await post(`40/console,${JSON.stringify({ token })}`)).status).toBe(200)
    for (let heard = ''; !heard.includes('"welcome"'); ) heard += await poll()
    const refused = () => server.counts.get('commands_refused') ?? 0
    const before = refused()
    const one = '42/console,7["x"]'
    const packets = Array.from({ length: Math.floor(65_000 / (one.length + 1)) }, () => one)
    expect(packets.length).toBeGreaterThan(3_000)
    await post(packets.join('\x1e')).catch(() => undefined)
    await eventually(() => reasons(server).at(-1)).toBe('flood')
    expect(refused() - before).toBeLessThanOrEqual(600)
  })
})

describe('what is no Socket.IO', () => {
  it('ends its connection and nothing else', async () => {
    for (const junk of [
      '',
      'x',
      '4',
      '49',
      '4{',
      '42',
      '42/console,',
      '42/console,{}',
      '42/console,["disconnect"]',
      '451-/console,["x",{"_placeholder":true,"num":7}]',
      '42/other,["subscribe"]',
      '40/console,7',
      '41/console,7',
      '43/console,1[]',
      '44/console,{}',
      '2',
      '1',
    ]) {
      const raw = await join()
      raw.send(junk)
      raw.tcp.end()
      await raw.closed
    }
    const client = await connect(server.url, token)
    expect(await client.ask('subscribe', { stream: 'beacons' })).toMatchObject({ ok: true })
    client.socket.disconnect()
    expect(server.lines.filter(({ level }) => level === 50)).toEqual([])
  })

  it('a client that leaves the namespace loses its connection', async () => {
    const raw = await join()
    raw.send('41/console,')
    await raw.closed
  })
})

describe('a client that does not read', () => {
  it('is disconnected when 1 MiB is unsent, without its answer; its neighbour misses nothing', async () => {
    const neighbour = await connect(server.url, token)
    const raw = await join()
    raw.send('42/console,1["subscribe",{"stream":"items"}]')
    await eventually(() => raw.frames.some((frame) => frame.startsWith('43/console,1'))).toBe(true)
    await neighbour.ask('subscribe', { stream: 'items' })
    raw.tcp.pause()
    const summed = () => neighbour.of('items.burst').reduce((sum, { count }) => sum + Number(count), 0)
    let made = 0
    while (!reasons(server).includes('slow_reader')) {
      await ledger.submit(...Array.from({ length: 100 }, () => ({ visibility: 'team' as const, tags: wide })))
      made += 100
      server.stream.facts.poke()
      expect(made).toBeLessThan(10_000)
      // Above 200 a second they would be summed up, and little would be sent.
      await new Promise((resolve) => setTimeout(resolve, 300))
      // Transactions of other tests hold facts back: no more are made until these were told.
      await eventually(() => neighbour.of('item.created').length + summed()).toBe(made)
    }
    const line = server.lines.findLast(({ reason }) => reason === 'slow_reader')
    expect(line).toMatchObject({ msg: 'stream.ended', transport: 'websocket' })
    expect(neighbour.socket.connected).toBe(true)
    neighbour.socket.disconnect()
    raw.tcp.destroy()
  })
})

describe('a client that reads', () => {
  it('is not disconnected by 200 of the widest items at once, twice over', async () => {
    await ledger.finalize()
    const client = await connect(server.url, token)
    await client.ask('subscribe', { stream: 'items' })
    await ledger.submit(...Array.from({ length: 200 }, () => ({ visibility: 'team' as const, tags: wide })))
    await ledger.finalize()
    const summed = () => client.of('items.burst').reduce((sum, { count }) => sum + Number(count), 0)
    await eventually(
      () => client.of('item.created').length + client.of('item.committed').length + summed(),
    ).toBeGreaterThanOrEqual(400)
    expect(client.socket.connected).toBe(true)
    client.socket.disconnect()
  })
})

describe('connections', () => {
  it('that join no namespace are closed, also one that never polls', async () => {
    const strict = await serve({ timing: { join: 100, ending: 100 } })
    const raw = await openRaw(strict.port)
    const began = performance.now()
    expect((await fetch(`${strict.url}/socket.io/?EIO=4&transport=polling`)).status).toBe(200)
    await raw.closed
    await eventually(() => strict.stream.connections()).toBe(0)
    // Engine.IO by itself waits 30 s for the next poll.
    expect(performance.now() - began).toBeLessThan(20_000)
    await strict.close()
  })

  it('have a bound per server, and there is room again when one has gone', async () => {
    const small = await serve({ door: { server: 2 } })
    const first = await connect(small.url, token)
    const second = await connect(small.url, token, { transports: ['polling'] })
    for (const transport of ['websocket', 'polling']) {
      const third = openClient(small.url, { auth: { token }, transports: [transport] })
      await new Promise((resolve) => third.socket.once('connect_error', resolve))
      third.socket.disconnect()
    }
    first.socket.disconnect()
    await eventually(() => small.stream.connections()).toBe(1)
    const third = await connect(small.url, token)
    for (const { socket } of [second, third]) socket.disconnect()
    await small.close()
  })

  it('that stay silent are pinged and given up', async () => {
    // Joined by then, also on a busy machine.
    const hasty = await serve({ timing: { pingInterval: 2_000, pingTimeout: 100 } })
    const raw = await openRaw(hasty.port)
    raw.send(`40/console,${JSON.stringify({ token })}`)
    await raw.closed
    await eventually(() => reasons(hasty)).toEqual(['ping timeout'])
    await hasty.close()
  })
})

describe('HTTP', () => {
  it('allows every origin without credentials, and serves no client files', async () => {
    const answer = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { origin: 'https://example.org' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect((await fetch(`${server.url}/socket.io/socket.io.js`)).status).toBe(400)
    expect((await fetch(`${server.url}/socket.io/?EIO=3&transport=polling`)).status).toBe(400)
  })

  it('survives requests that are none', async () => {
    for (const line of [
      'GET /socket.io/?EIO=4&transport=nonsense',
      'POST /socket.io/?EIO=4&transport=polling',
      'GET /socket.io/?sid=__proto__&EIO=4&transport=polling',
      'PUT /socket.io//%00',
      'GET /socket.io/?%',
    ]) {
      const tcp = connectTcp(server.port, '127.0.0.1')
      tcp.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      let answer = ''
      tcp.on('error', () => undefined)
      tcp.on('data', (chunk) => {
        answer += chunk.toString()
      })
      await new Promise((resolve) => tcp.once('close', resolve))
      expect(answer, line).toMatch(/^HTTP\/1\.1 [45]\d\d/)
    }
  })
})
