// A large answer waits for its client only while the client takes something of it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldPlaces } from '../../server/admission/turns.ts'
import { fairGate } from '../../server/kernel/flow/fair_gate.ts'
import { boundStall } from '../../server/surfaces/http/answer_request.ts'
import { createHttpServer } from '../../server/surfaces/http/http_server.ts'
import { openWire } from '../support/http.ts'

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

describe('a place', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Two turns, and one answer of ada that holds one, whose client takes so many bytes a second. */
  async function holding(parts: {
    readonly perKey: number
    readonly takes: number
    readonly complete: boolean
    readonly unread: number
  }) {
    const error = () => new Error('refused')
    const options = { total: 2, waitingPerKey: 9, waiting: 99, full: error, late: error }
    const gate = fairGate({ ...options, perKey: parts.perKey })
    const places = heldPlaces(gate)
    const leave = await gate.enter('ada')
    const socket = { bytesWritten: 0, bytesRead: 100 }
    const req = { complete: parts.complete, readableLength: parts.unread }
    let cutAfter: number | undefined
    const began = performance.now()
    const destroy = (): void => {
      cutAfter ??= (performance.now() - began) / 1_000
      leave()
    }
    places.add({ headersSent: true, writableLength: 1_000_000, req, socket, destroy }, 'ada')
    return {
      enter: (key: string, resumes = false) => void gate.enter(key, undefined, { resumes }),
      /** @returns the seconds after which the answer was cut */
      seconds: (seconds: number): number | undefined => {
        for (let n = 0; n < 2 * seconds; n += 1) {
          vi.advanceTimersByTime(500)
          socket.bytesWritten += parts.takes / 2
        }
        places.close()
        return cutAfter
      },
    }
  }
  const [FAST, SLOW] = [1_000_000, 100]
  const REQUESTS = [
    ['all of which was sent', { complete: true, unread: 0 }],
    ['whose body was announced and never sent', { complete: false, unread: 0 }],
    ['whose body nobody reads and that is never ended', { complete: false, unread: 1 }],
  ] as const

  it.each(REQUESTS)(
    'that others wait for is kept by who takes an answer fast to a request %s',
    async (_, req) => {
      const { enter, seconds } = await holding({ perKey: 1, takes: FAST, ...req })
      for (const key of ['bob', 'eve']) enter(key)
      expect(seconds(60)).toBeUndefined()
    },
  )

  it.each(REQUESTS)(
    'that others wait for is lost by who takes an answer slowly to a request %s',
    async (_, req) => {
      const { enter, seconds } = await holding({ perKey: 1, takes: SLOW, ...req })
      for (const key of ['bob', 'eve']) enter(key)
      expect(seconds(60)).toBeLessThanOrEqual(6)
    },
  )

  it.each([
    ['has no other', 1, ['ada']],
    ['may have another', 2, ['bob', 'ada']],
  ])(
    'that is held slowly is lost to a request of the same caller, who %s, only before that is refused',
    async (_, perKey, others) => {
      const { enter, seconds } = await holding({ perKey, takes: SLOW, complete: true, unread: 0 })
      for (const key of others) enter(key)
      const after = seconds(60)
      expect(after).toBeGreaterThan(15)
      expect(after).toBeLessThan(25)
    },
  )

  it('that is held slowly is lost at once to a request of the same caller that holds a connection of the database', async () => {
    const { enter, seconds } = await holding({ perKey: 1, takes: SLOW, complete: true, unread: 0 })
    enter('ada', true)
    expect(seconds(60)).toBeLessThanOrEqual(6)
  })

  it('that others wait for is lost by who reads nothing of the answer to a request that never ends', async () => {
    const places = heldPlaces({ isWaitedFor: () => true, isResumed: () => false, waitsMs: () => 0 })
    const koa = new Koa()
    koa.silent = true
    const begun = Promise.withResolvers<Koa.Context['res']>()
    koa.use((ctx) => {
      ctx.body = BYTES
      places.add(ctx.res, 'ada')
      begun.resolve(ctx.res)
    })
    const server = createServer(koa.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    try {
      client.on('error', () => undefined).pause()
      client.write('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx')
      const answer = await begun.promise
      await expect.poll(() => answer.writableLength).toBeGreaterThan(0)
      vi.advanceTimersByTime(4_500)
      expect(answer.destroyed).toBe(false)
      vi.advanceTimersByTime(1_500)
      expect(answer.destroyed).toBe(true)
    } finally {
      places.close()
      client.destroy()
      server.close()
    }
  })

  it('that is held slowly is kept while nobody waits', async () => {
    const { seconds } = await holding({ perKey: 1, takes: SLOW, complete: true, unread: 0 })
    expect(seconds(60)).toBeUndefined()
  })
})
