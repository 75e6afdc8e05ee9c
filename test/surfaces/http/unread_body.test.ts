// A refused request with a large body: the answer arrives, the body is not read, and the connection ends.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Koa from 'koa'
import { beforeAll, expect, it } from 'vitest'
import { leaveUnread } from '../../../server/surfaces/http/read_body.ts'
import { ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const BODY = Buffer.alloc(500_000, 'x')

const app = testApp({ limits: { LIMIT_CALLER_PER_MINUTE: 1 } })
beforeAll(async () => {
  await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
})

it('a caller over budget is told so, whatever it goes on sending', async () => {
  for (let times = 0; times < 20; times += 1) {
    const answer = await ask(app.port, '/api/json/items', {
      key: app.owner.key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    })
    expect([answer.status, answer.headers.connection]).toEqual([429, 'close'])
    expect(answer.json()).toMatchObject({ errors: [{ code: 'rate_limited' }] })
  }
})

it('a small body costs nobody anything, and its connection stays', async () => {
  const wire = await openWire(app.port)
  const request = `POST /api/json/items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
  wire.write(request + request)
  const text = await wire.until((got) => got.match(/rate_limited/g)?.length === 2)
  expect(text).not.toMatch(/^connection: close/im)
  wire.socket.destroy()
})

it('what is not read stays with its sender', async () => {
  const koa = new Koa()
  koa.use((ctx) => {
    ctx.status = 403
    leaveUnread(ctx)
  })
  const server = createServer(koa.callback()).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const accepted = once(server, 'connection')
    const wire = await openWire((server.address() as AddressInfo).port)
    const [socket] = (await accepted) as [Socket]
    const closed = once(socket, 'close')
    wire.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n')
    for (let sent = 0; sent < 200; sent += 1) wire.write(BODY.subarray(0, 250_000))
    await wire.until((got) => got.includes('403 Forbidden'))
    await closed
    expect(socket.bytesRead).toBeLessThan(1_000_000)
  } finally {
    server.close()
  }
})
