// The console's stream client against a real Socket.IO server: resume, reconnect, another ledger, refusals.
import { createServer, type Server as HttpServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Server, type Socket as ServerSocket } from 'socket.io'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  beaconStream,
  type Connection,
  type StreamPorts,
} from '../../console-web/src/connection/beacon_stream.ts'
import { type Beacon, CONSOLE_NAMESPACE } from '../../shared/wire/console_stream.ts'
import { freePort } from '../support/free_port.ts'

const beaconAt = (n: number): Beacon => {
  const digits = String(n).padStart(12, '0')
  return {
    id: `01a2ce8c-be60-7000-8000-${digits}`,
    hash: digits.padStart(64, '0'),
    timestamp: new Date(Date.UTC(2027, 0, 1) + n * 60_000).toISOString(),
    previous_hash: String(n - 1).padStart(64, '0'),
  }
}

let http: HttpServer
let server: Server
let port: number
let ledger: Beacon[]
let refusal: { status: number; code: string } | null
let cursors: (string | undefined)[]
let stream: ReturnType<typeof beaconStream>
let held: string[]
let phases: Connection[]
let startedAnew: number
let replacements: { lost: string | undefined; head: string | undefined }[]
let signedOut: number[]
let another: () => boolean

const listen = async (): Promise<void> => {
  http = createServer()
  server = new Server(http)
  server.of(CONSOLE_NAMESPACE).use((_socket, next) => {
    next(refusal === null ? undefined : Object.assign(new Error('refused'), { data: refusal }))
  })
  server.of(CONSOLE_NAMESPACE).on('connection', (socket: ServerSocket) => {
    socket.emit('welcome', { head: ledger.at(-1), server_time: new Date().toISOString() })
    socket.on('subscribe', ({ after }: { after?: string }, answer: (words: unknown) => void) => {
      cursors.push(after)
      const index = ledger.findIndex((beacon) => beacon.id === after)
      if (index === -1)
        return answer({ ok: false, code: 'unknown_beacon', message: 'unknown', head: ledger.at(-1) })
      answer({ ok: true, head: ledger.at(-1) })
      for (const beacon of ledger.slice(index + 1)) socket.emit('beacon.created', beacon)
    })
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
}

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${condition}`)
    await wait(5)
  }
}

const ports = (): StreamPorts => ({
  open: async () =>
    io(`http://127.0.0.1:${port}${CONSOLE_NAMESPACE}`, {
      transports: ['websocket'],
      reconnection: false,
      autoConnect: false,
      forceNew: true,
    }),
  resumeAfter: async () => {
    if (held.length === 0) held.push(ledger[0]?.id ?? '')
    return held.at(-1) ?? null
  },
  subscribed: () => undefined,
  received: (beacon) => held.push(beacon.id),
  startAnew: (lost, head) => {
    startedAnew += 1
    replacements.push({ lost: lost?.id, head: head?.id })
    held = []
  },
  changed: (connection) => phases.push(connection),
  refused: async (status) => {
    signedOut.push(status)
    return another()
  },
})

beforeEach(async () => {
  ledger = [0, 1, 2].map(beaconAt)
  ;[refusal, cursors, held, phases, startedAnew, signedOut] = [null, [], [], [], 0, []]
  another = () => false
  replacements = []
  port = await freePort()
  await listen()
})
afterEach(async () => {
  stream.stop()
  await server.close()
})

describe('the stream client', () => {
  it('loads what it continues from, then receives everything after it, oldest first', async () => {
    stream = beaconStream(ports())
    await until(() => held.length === 3)
    expect(held).toEqual(ledger.map((beacon) => beacon.id))
    expect(cursors).toEqual([ledger[0]?.id])
  })

  it('continues after the last beacon held when the connection drops and the server restarts', async () => {
    stream = beaconStream(ports())
    await until(() => held.length === 3)
    await server.close()
    await until(() => phases.at(-1)?.phase === 'offline')
    ledger = [...ledger, ...Array.from({ length: 1_440 }, (_, index) => beaconAt(3 + index))]
    await listen()
    stream.wake()
    await until(() => held.length === 1_443)
    expect(held).toEqual(ledger.map((beacon) => beacon.id))
    expect(cursors.at(-1)).toBe(ledger[2]?.id)
  })

  it('starts anew when the server does not know the beacon it holds', async () => {
    held = ['01a2ce8c-0000-7000-8000-000000000099']
    stream = beaconStream(ports())
    await until(() => held.length === 3)
    expect(startedAnew).toBe(1)
    expect(cursors).toEqual(['01a2ce8c-0000-7000-8000-000000000099', ledger[0]?.id])
    expect(replacements).toEqual([{ lost: undefined, head: ledger[2]?.id }])
  })

  it('starts anew from the new head when the server says that the chain was replaced', async () => {
    stream = beaconStream(ports())
    await until(() => held.length === 3)
    const lost = ledger[2]
    ledger = [0, 1, 7, 8].map(beaconAt)
    server.of(CONSOLE_NAMESPACE).emit('chain.replaced', { head: ledger[3], lost })
    await until(() => held.length === 4)
    expect(held).toEqual(ledger.map((beacon) => beacon.id))
    expect(replacements).toEqual([{ lost: lost?.id, head: ledger[3]?.id }])
    expect(phases.map(({ phase }) => phase)).not.toContain('offline')
  })

  it('stops and says so when the credential is refused', async () => {
    refusal = { status: 401, code: 'unauthorized' }
    stream = beaconStream(ports())
    await until(() => signedOut.length === 1)
    expect(signedOut).toEqual([401])
    expect(phases.map(({ phase }) => phase)).toEqual(['connecting'])
  })

  it('goes on with another credential where there is one', async () => {
    refusal = { status: 401, code: 'unauthorized' }
    another = () => {
      refusal = null
      return true
    }
    stream = beaconStream(ports())
    await until(() => signedOut.length === 1)
    stream.wake()
    await until(() => held.length === 3)
    expect(signedOut).toEqual([401])
  })

  it('opens no connection before the page is read, and none at all once it is stopped', async () => {
    const read = Promise.withResolvers<string | null>()
    let opened = 0
    const { open } = ports()
    const counted: StreamPorts = {
      ...ports(),
      open: (failures) => {
        opened += 1
        return open(failures)
      },
      resumeAfter: () => read.promise,
    }
    stream = beaconStream(counted)
    stream.stop()
    stream = beaconStream(counted)
    expect(opened).toBe(0)
    read.resolve(null)
    await until(() => opened > 0)
    expect(opened).toBe(1)
  })

  it('tries anew at once when the network comes back while the first connection is not open yet', async () => {
    const opens = [new Promise<never>(() => undefined), ports().open(0)]
    stream = beaconStream({ ...ports(), open: () => opens.shift() ?? ports().open(0) })
    await until(() => opens.length === 1)
    stream.wake()
    expect(phases.map(({ phase }) => phase)).toEqual(['connecting'])
    stream.wake(true)
    await until(() => held.length === 3)
  })

  it('a network that came back replaces the connection at once', async () => {
    stream = beaconStream(ports())
    await until(() => held.length === 3)
    stream.wake(true)
    await until(() => cursors.length === 2)
    expect(cursors[1]).toBe(ledger[2]?.id)
    expect(held.length).toBe(3)
  })
})
