// Places for stream connections: of a server, of an address, of an account; both streams share them, and all come back.
import { afterEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestAccount, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { ask, eventually, openWire } from '../../support/http.ts'
import { enterStream, openStream } from '../graphql/stream_client.ts'
import { connect, refusedHandshake } from './console_client.ts'

let app: TestApp
afterEach(() => app.close())

const POLLING = '/socket.io/?EIO=4&transport=polling'
const open = async (ceilings: NonNullable<TestAppOptions['ceilings']>): Promise<void> => {
  app = await openTestApp({ ceilings })
}
const polling = () => ask(app.port, POLLING)
const errorOf = (answer: { json: () => unknown }) => (answer.json() as { errors: unknown[] }).errors[0]

/** Settles when one more can come in, and has. */
const roomAgain = () => eventually(async () => ((await polling()).status === 200 ? true : undefined))

describe('a server', () => {
  it('that is full answers 503 overloaded with its number, whichever stream it is full of', async () => {
    await open({ sockets: 2 })
    const console = await connect(app.base, app.owner.key)
    const graphql = await enterStream(app.port, app.owner.key)
    const refused = await polling()
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(errorOf(refused)).toMatchObject({ code: 'overloaded', meta: { maximum: 2 } })
    await expect(openStream(app.port)).rejects.toThrow('503')
    graphql.socket.terminate()
    await roomAgain()
    console.socket.disconnect()
  })

  it('loses no place to handshakes that are none, nor to connections that never say who they are', async () => {
    await open({ sockets: 3 })
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await ask(app.port, '/socket.io/?EIO=3&transport=polling')).status).toBe(400)
      for (const path of ['/gql', '/socket.io/?EIO=4&transport=websocket']) {
        const wire = await openWire(app.port)
        // No key: no WebSocket.
        wire.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`)
        expect(await wire.ended).toMatch(/^HTTP\/1\.1 4\d\d /)
      }
    }
    for (let asked = 0; asked < 3; asked += 1) expect((await polling()).status).toBe(200)
    expect((await polling()).status).toBe(503)
    // The three say nothing more, and are closed.
    await roomAgain()
  })
})

describe('an address', () => {
  it('that has all its places is 429 with its number; others come in', async () => {
    await open({ sockets_per_address: 2 })
    const clients = [await connect(app.base, app.owner.key), await connect(app.base, app.owner.key)]
    const refused = await polling()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(errorOf(refused)).toMatchObject({ code: 'rate_limited', meta: { maximum: 2 } })
    await expect(openStream(app.port)).rejects.toThrow('429')
    const wire = await openWire(app.port, '127.0.0.2')
    wire.write(`GET ${POLLING} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 200 /)
    for (const { socket } of clients) socket.disconnect()
    await roomAgain()
  })
})

describe('an account', () => {
  const poor = async (): Promise<TestAccount> => {
    const made = await app.account('grace')
    await app.query(`UPDATE users SET plan = 'free' WHERE id = $1`, [made.userId])
    await eventually(async () => {
      const { text } = await ask(app.port, '/api/json/users/me', { key: made.key })
      return text.includes('"plan":"free"') ? true : undefined
    })
    return made
  }

  it('has as many connections as its plan, on both streams together; one more is plan_limit', async () => {
    await open({})
    const someone = await poor()
    const consoles = await Promise.all(Array.from({ length: 6 }, () => connect(app.base, someone.key)))
    const streams = await Promise.all(Array.from({ length: 4 }, () => enterStream(app.port, someone.key)))
    expect(await refusedHandshake(app.base, { auth: { token: someone.key } })).toEqual({
      status: 403,
      code: 'plan_limit',
      limit: 10,
    })
    const extra = await openStream(app.port)
    extra.say({ type: 'connection_init', payload: { authorization: `Bearer ${someone.key}` } })
    expect(await extra.closed).toEqual({ code: 4429, why: 'plan_limit: at most 10 connections at once' })
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
