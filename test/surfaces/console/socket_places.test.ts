// Places for stream connections: of a server, of an address, of an account; both streams share them, and all come back.
import { describe, expect, it, type TestContext } from 'vitest'
import { openTestApp, type TestAccount, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { ask, eventually, openWire } from '../../support/http.ts'
import { enterStream, openStream } from '../graphql/stream_client.ts'
import { connect, refusedHandshake } from './console_client.ts'

const POLLING = '/socket.io/?EIO=4&transport=polling'
/** Closed when the test is over. Each has a service of its own, so some wait beside each other. */
async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  ceilings: NonNullable<TestAppOptions['ceilings']>,
): Promise<TestApp> {
  const app = await openTestApp({ ceilings })
  onTestFinished(app.close)
  return app
}
const polling = ({ port }: TestApp) => ask(port, POLLING)
const errorOf = (answer: { json: () => unknown }) => (answer.json() as { errors: unknown[] }).errors[0]

const TRANSPORTS = [['websocket'], ['polling'], ['polling', 'websocket']]
const refused = (app: TestApp, transports: string[] = ['websocket']) =>
  refusedHandshake(app.base, { auth: { token: app.owner.key }, transports })

/** Settles when one more can come in, and has. */
const roomAgain = (app: TestApp) =>
  eventually(async () => ((await refused(app).catch(() => 'let in')) === 'let in' ? true : undefined))

const metricOf = async ({ port }: TestApp, stream: string, code: string): Promise<number> => {
  const { text } = await ask(port, '/metrics')
  const line = new RegExp(`^pharos_stream_refusals_total\\{stream="${stream}",code="${code}"\\} (\\d+)$`, 'm')
  return Number(line.exec(text)?.[1] ?? 0)
}

describe.concurrent('a server', () => {
  it('that is full tells everybody on the stream itself, whichever stream it is full of, and its log and metrics', async (context) => {
    const app = await open(context, { sockets: 2 })
    const console = await connect(app.base, app.owner.key)
    const graphql = await enterStream(app.port, app.owner.key)
    for (const transports of TRANSPORTS)
      expect(await refused(app, transports)).toEqual({
        status: 503,
        code: 'overloaded',
        retry_after_ms: 10_000,
      })
    const { closed } = await openStream(app.port)
    expect(await closed).toEqual({
      code: 1013,
      why: 'overloaded: this server holds as many connections as it can',
    })
    const lines = app.logged.filter(({ msg }) => msg === 'stream.refused')
    expect(lines.map(({ stream, code, address }) => [stream, code, address])).toEqual([
      ...TRANSPORTS.map(() => ['console', 'overloaded', '127.0.0.1']),
      ['graphql', 'overloaded', '127.0.0.1'],
    ])
    expect([
      await metricOf(app, 'console', 'overloaded'),
      await metricOf(app, 'graphql', 'overloaded'),
    ]).toEqual([3, 1])
    graphql.socket.terminate()
    await roomAgain(app)
    console.socket.disconnect()
  })

  it('tells no more than a number at once on the stream, and the others in the answer to their handshake', async (context) => {
    const app = await open(context, { sockets: 1 })
    const only = await connect(app.base, app.owner.key)
    // Each has a session that says nothing more.
    for (let told = 0; told < 50; told += 1) expect((await polling(app)).status).toBe(200)
    const beyond = await polling(app)
    expect([beyond.status, beyond.headers['retry-after']]).toEqual([503, '10'])
    expect(errorOf(beyond)).toMatchObject({ code: 'overloaded', meta: { maximum: 1 } })
    await expect(openStream(app.port)).rejects.toThrow('503')
    // The silent ones are closed, and then there is room to be told again.
    await eventually(async () => ((await refused(app))?.code === 'overloaded' ? true : undefined))
    only.socket.disconnect()
    await roomAgain(app)
  })

  it('loses no place to handshakes that are none, nor to connections that never say who they are', async (context) => {
    const app = await open(context, { sockets: 3 })
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await ask(app.port, '/socket.io/?EIO=3&transport=polling')).status).toBe(400)
      for (const path of ['/gql', '/socket.io/?EIO=4&transport=websocket']) {
        const wire = await openWire(app.port)
        // No key: no WebSocket.
        wire.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`)
        expect(await wire.ended).toMatch(/^HTTP\/1\.1 4\d\d /)
      }
    }
    for (let asked = 0; asked < 3; asked += 1) expect((await polling(app)).status).toBe(200)
    expect(await refused(app)).toMatchObject({ status: 503 })
    // The three say nothing more, and are closed.
    await roomAgain(app)
  })
})

describe('an address', () => {
  it('that has all its places is told so on the stream; others come in', async (context) => {
    const app = await open(context, { sockets_per_address: 2 })
    const clients = [await connect(app.base, app.owner.key), await connect(app.base, app.owner.key)]
    for (const transports of TRANSPORTS)
      expect(await refused(app, transports)).toEqual({
        status: 429,
        code: 'rate_limited',
        retry_after_ms: 10_000,
      })
    const { closed } = await openStream(app.port)
    expect(await closed).toEqual({
      code: 1013,
      why: 'rate_limited: this address has as many connections as it may',
    })
    const wire = await openWire(app.port, '127.0.0.2')
    wire.write(`GET ${POLLING} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 200 /)
    for (const { socket } of clients) socket.disconnect()
    await roomAgain(app)
  })
})

describe('an account', () => {
  const poor = async (app: TestApp): Promise<TestAccount> => {
    const made = await app.account('grace')
    await app.query(`UPDATE users SET plan = 'free' WHERE id = $1`, [made.userId])
    await eventually(async () => {
      const { text } = await ask(app.port, '/api/json/users/me', { key: made.key })
      return text.includes('"plan":"free"') ? true : undefined
    })
    return made
  }

  it('has as many connections as its plan, on both streams together; one more is plan_limit', async (context) => {
    const app = await open(context, {})
    const someone = await poor(app)
    const consoles = await Promise.all(Array.from({ length: 6 }, () => connect(app.base, someone.key)))
    const streams = await Promise.all(Array.from({ length: 4 }, () => enterStream(app.port, someone.key)))
    expect(await refusedHandshake(app.base, { auth: { token: someone.key } })).toEqual({
      status: 403,
      code: 'plan_limit',
      limit: 10,
    })
    const extra = await openStream(app.port)
    extra.say({ type: 'connection_init', payload: { authorization: `Bearer ${someone.key}` } })
    expect(await extra.closed).toEqual({ code: 1013, why: 'plan_limit: at most 10 connections at once' })
    for (const stream of ['console', 'graphql'])
      expect(
        app.logged.filter((line) => line.msg === 'stream.refused' && line.stream === stream),
      ).toMatchObject([{ code: 'plan_limit' }])
    // Another key of the same account is the same account; another account is not.
    const { secret } = await app.apiKey({ userId: someone.userId })
    expect(await refusedHandshake(app.base, { auth: { token: secret } })).toMatchObject({
      code: 'plan_limit',
    })
    const other = await connect(app.base, app.owner.key)
    streams[0]?.socket.close()
    await eventually(async () => {
      const refused = await refusedHandshake(app.base, { auth: { token: someone.key } }).catch(() => 'let in')
      return refused === 'let in' ? true : undefined
    })
    for (const { socket } of [...consoles, other]) socket.disconnect()
    for (const { socket } of streams) socket.terminate()
  })
})
