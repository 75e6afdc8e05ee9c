// A large answer waits for its client only while the client takes something of it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { createHttpServer } from '../../../server/surfaces/http/http_server.ts'
import { boundStall } from '../../../server/surfaces/http/unread_answer.ts'
import { openWire } from '../../support/http.ts'

/** More than the operating system keeps for both ends. */
const BYTES = Buffer.alloc(48 * 1_048_576, 'x')

const BODIES = {
  bytes: (bytes: Buffer) => bytes,
  pieces: (bytes: Buffer) => Readable.from([bytes], { objectMode: false }),
}

const stalled: string[] = []

async function serving(kind: keyof typeof BODIES, bytes: Buffer, ms: number) {
  const koa = new Koa()
  koa.silent = true
  koa.use((ctx) => {
    ctx.body = BODIES[kind](bytes)
    ctx.length = bytes.length
    boundStall(ctx, () => stalled.push(ctx.path), ms)
  })
  const server = createServer(koa.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

it.each(['bytes', 'pieces'] as const)('%s that nobody reads are given up', async (kind) => {
  const { server, port } = await serving(kind, BYTES, 50)
  const accepted = once(server, 'connection')
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  try {
    const [socket]: Socket[] = await accepted
    client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    if (socket?.destroyed === false) await once(socket, 'close')
    expect(socket?.destroyed).toBe(true)
    expect(stalled.splice(0)).toEqual(['/'])
  } finally {
    client.destroy()
    server.close()
  }
})

it('the bound of an answer ends with it: a slower one behind it on the connection arrives', async () => {
  const MS = 50
  const slow = Promise.withResolvers<void>()
  const koa = new Koa()
  koa.silent = true
  koa.use(async (ctx) => {
    if (ctx.path === '/slow') await slow.promise
    ctx.body = ctx.path === '/slow' ? 'at last' : BYTES.subarray(0, 100_000)
    boundStall(ctx, () => undefined, MS)
  })
  const server = createHttpServer({ maxHeaderBytes: 1_024 }).on('request', koa.callback())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const wire = await openWire((server.address() as AddressInfo).port)
  try {
    wire.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await wire.until((text) => text.length > 100_000)
    await new Promise((resolve) => setTimeout(resolve, 10 * MS))
    slow.resolve()
    await wire.until((text) => text.endsWith('at last'))
  } finally {
    wire.socket.destroy()
    server.close()
  }
})

it('what is read arrives in full, and its connection stays', async () => {
  const bytes = BYTES.subarray(0, 4_194_304)
  const { server, port } = await serving('pieces', bytes, 60_000)
  try {
    for (let times = 0; times < 2; times += 1)
      expect((await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()).byteLength).toBe(bytes.length)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
