// Handshakes of both streams are charged to their address before there is a connection, with the requests of the API.
import { expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { ask, openWire } from '../../support/http.ts'
import { openTestLedger } from '../../support/ledger.ts'
import { connect, eventually } from './console_client.ts'
import { startConsoleServer } from './console_server.ts'
import { openRaw } from './raw_websocket.ts'

const UPGRADE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n'
const upgrade = async (port: number, path: string): Promise<string> => {
  const wire = await openWire(port)
  wire.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`)
  return wire.ended
}
const POLLING = '/socket.io/?EIO=4&transport=polling'

it('a handshake more than the budget of the address is 429 with Retry-After, on every transport', async () => {
  const app = await openTestApp({ limits: { LIMIT_ADDRESS_PER_MINUTE: 3, LIMIT_CALLER_PER_MINUTE: 1_000 } })
  try {
    await amidMinute()
    const { status } = await ask(app.port, '/api/json/users/me', { key: app.owner.key })
    const clients = [await connect(app.base, app.owner.key), await connect(app.base, app.owner.key)]
    const polling = await ask(app.port, POLLING)
    const socket = await upgrade(app.port, '/socket.io/?EIO=4&transport=websocket')
    const api = await ask(app.port, '/api/json/users/me', { key: app.owner.key })
    for (const { socket: one } of clients) one.disconnect()
    expect([status, api.status]).toEqual([200, 429])
    expect(polling.status).toBe(429)
    expect(Number(polling.headers['retry-after'])).toBeGreaterThan(0)
    expect(polling.json()).toEqual({
      errors: [
        {
          status: '429',
          code: 'rate_limited',
          detail: expect.any(String),
          meta: { retry_after_ms: expect.any(Number), limit: 3 },
        },
      ],
    })
    expect(socket).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: \d+\r\n/)
    expect(socket).toContain('"code":"rate_limited"')
  } finally {
    await app.close()
  }
})

it('who has no budget left gets no session, however often it asks', async () => {
  const ledger = await openTestLedger()
  const server = await startConsoleServer(ledger, {
    door: { waitMs: () => 1_234 },
  })
  try {
    for (let asked = 0; asked < 50; asked += 1) {
      const answer = await ask(server.port, POLLING)
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '2'])
    }
    await expect(openRaw(server.port)).rejects.toThrow()
    expect(server.stream.connections()).toBe(0)
    expect(server.counts.get('connections_turned_away')).toBe(51)
  } finally {
    await server.close()
    await ledger.close()
  }
})

it('every further try on a connection is charged again', async () => {
  const ledger = await openTestLedger()
  let waitMs = 0
  const server = await startConsoleServer(ledger, {
    door: { waitMs: () => waitMs },
  })
  try {
    const raw = await openRaw(server.port)
    waitMs = 1_234
    for (const [nth, data] of [
      { status: 401, code: 'unauthorized' },
      { status: 429, code: 'rate_limited', retry_after_ms: 1_234 },
    ].entries()) {
      raw.send(`40/console,${JSON.stringify({ token: 'wrong' })}`)
      await eventually(() => raw.frames.length).toBe(nth + 2)
      expect(JSON.parse((raw.frames.at(-1) ?? '').slice('44/console,'.length)).data).toEqual(data)
    }
    raw.tcp.destroy()
  } finally {
    await server.close()
    await ledger.close()
  }
})
