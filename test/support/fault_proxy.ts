// A TCP proxy for the PostgreSQL protocol. It cuts the connection at a chosen statement: before the
// statement, or after its effect.

import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'

export interface Fault {
  /** Selects statements by their SQL text. */
  readonly matches: (sql: string) => boolean
  /** Strikes at the n-th match, counted from 1. The default is 1. */
  readonly nth?: number
  /**
   * `before`: the server never gets the statement. `after`: the server has executed it, but the client gets
   * no answer.
   */
  readonly when: 'before' | 'after'
  /** Called at that point, before the connection is cut, such as to kill a process. */
  readonly hook?: () => void | Promise<void>
}

export interface FaultProxy {
  /** The given url, changed to go through this proxy. */
  readonly through: (url: string) => string
  /** Sets up one fault, which strikes once. Resolves with the statement when it has struck. */
  readonly strike: (fault: Fault) => Promise<string>
  /** Removes a fault that has not struck. */
  readonly disarm: () => void
  /** How many clients are connected. */
  readonly connections: () => number
  /** Every statement executed or cut since the last call, oldest first. */
  readonly takeStatements: () => string[]
  readonly close: () => Promise<void>
}

interface Armed extends Fault {
  left: number
  readonly struck: (sql: string) => void
}

/** @param upstream url of the real server */
export async function openFaultProxy(upstream: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(upstream)
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let armed: Armed | undefined
  let statements: string[] = []

  const hit = (sql: string): Armed | undefined => {
    statements.push(sql)
    if (armed === undefined || !armed.matches(sql)) return undefined
    armed.left -= 1
    if (armed.left > 0) return undefined
    const fault = armed
    armed = undefined
    return fault
  }

  const server = createServer((client) => {
    const backend = dial({ host: hostname, port: Number(port) })
    clients.add(client)
    client.on('close', () => clients.delete(client))
    for (const socket of [client, backend]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => sockets.delete(socket))
    }
    relay(client, backend, hit)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // Safe, because the proxy listens on a TCP port, never on a pipe.
  const address = server.address() as AddressInfo

  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href,
    strike: (fault) =>
      new Promise((struck) => {
        armed = { ...fault, left: fault.nth ?? 1, struck }
      }),
    disarm: () => {
      armed = undefined
    },
    connections: () => clients.size,
    takeStatements: () => {
      const taken = statements
      statements = []
      return taken
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/**
 * Forwards everything until a statement matches. A connection has one statement at a time, because the driver
 * waits.
 */
function relay(client: Socket, backend: Socket, hit: (sql: string) => Armed | undefined): void {
  let struck: Armed | undefined
  let statement = ''
  const cut = async () => {
    await struck?.hook?.()
    client.destroy()
    backend.destroy()
    struck?.struck(statement)
  }

  const texts = new Map<string, string>()
  const portals = new Map<string, string>()
  const toServer = frames({ startup: true }, (type, frame) => {
    if (struck?.when === 'before') return
    const sql = executed(type, frame, { texts, portals })
    const fault = sql === undefined ? undefined : hit(sql)
    if (fault !== undefined && sql !== undefined) {
      struck = fault
      statement = sql
      if (fault.when === 'before') {
        void cut()
        return
      }
    }
    backend.write(frame)
  })
  const toClient = frames({ startup: false }, (type, frame) => {
    if (struck === undefined) client.write(frame)
    // ReadyForQuery: the statement has succeeded or failed, and the server waits for the next one.
    else if (struck.when === 'after' && type === 'Z') void cut()
  })

  client.on('data', toServer)
  backend.on('data', toClient)
  client.on('close', () => backend.destroy())
  backend.on('close', () => client.destroy())
  client.on('error', () => backend.destroy())
  backend.on('error', () => client.destroy())
}

/** The SQL text that this frontend message executes: a simple Query, or Execute of a parsed statement. */
function executed(
  type: string,
  frame: Buffer,
  { texts, portals }: { texts: Map<string, string>; portals: Map<string, string> },
): string | undefined {
  const [first = '', second = ''] = frame.toString('utf8', 5).split('\0', 2)
  switch (type) {
    case 'Q':
      return first
    case 'P':
      texts.set(first, second)
      return undefined
    case 'B':
      portals.set(first, texts.get(second) ?? '')
      return undefined
    case 'E':
      return portals.get(first) ?? ''
    default:
      return undefined
  }
}

/**
 * Splits a stream into protocol messages: `type(1) length(4) …`. The first message of a client has no type.
 */
function frames(
  { startup }: { startup: boolean },
  take: (type: string, frame: Buffer) => void,
): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  let untyped = startup
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      const head = untyped ? 0 : 1
      if (held.length < head + 4) return
      const length = head + held.readUInt32BE(head)
      if (held.length < length) return
      const frame = held.subarray(0, length)
      held = held.subarray(length)
      const type = untyped ? '' : String.fromCharCode(frame[0] ?? 0)
      untyped = false
      take(type, frame)
    }
  }
}
