// Long polling with several workers: every request of a session reaches the worker that holds the session.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Ports } from './first_process.ts'

/** Milliseconds. Long polls are answered within 25 s, when the server sends a heartbeat. */
const SILENCE_MS = 60_000

/**
 * The number of the worker stands in the session's id. The id is as hard to guess as without it, and the port on
 * loopback serves nothing else, so it opens nothing that the public port does not.
 * @param ports of the workers at present
 */
export function siblingSessions({
  path,
  number,
  ports,
}: {
  /** Where the sessions are, e.g. `/socket.io/`. */
  readonly path: string
  readonly number: number
  readonly ports: () => Ports
}) {
  const ownerOf = ({ url = '' }: IncomingMessage): number | undefined => {
    if (!url.startsWith(`${path}?`)) return undefined
    const owner = /[?&]sid=(\d+)-/.exec(url)?.[1]
    return owner === undefined ? undefined : Number(owner)
  }
  /** Undefined: this worker answers, if only that there is no such session. */
  const portFor = (incoming: IncomingMessage): number | undefined => {
    const owner = ownerOf(incoming)
    return owner === undefined || owner === number ? undefined : ports()[owner]
  }
  const door = createServer({ requestTimeout: SILENCE_MS })
  const upgraded = new Set<Duplex>()

  return Object.freeze({
    /** Completes the id of a new session. Its requests are then recognized on every worker. */
    nameSession: (id: string) => `${number}-${id}`,
    /** Puts itself in front of all listeners that the server has. Call it when everything else is attached. */
    attach: async (server: Server): Promise<void> => {
      const requests = server.listeners('request')
      const upgrades = server.listeners('upgrade')
      server.removeAllListeners('request').removeAllListeners('upgrade')
      server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
        const port = portFor(incoming)
        if (port !== undefined) return passOn(incoming, answer, port)
        for (const listen of requests) listen.call(server, incoming, answer)
      })
      server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
        const port = portFor(incoming)
        if (port !== undefined) return passUpgrade(incoming, { socket, head, port })
        for (const listen of upgrades) listen.call(server, incoming, socket, head)
      })
      door.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
        if (ownerOf(incoming) === number) server.emit('request', incoming, answer)
        else answer.writeHead(404).end()
      })
      door.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
        if (ownerOf(incoming) !== number) return socket.destroy()
        upgraded.add(socket)
        socket.once('close', () => upgraded.delete(socket))
        server.emit('upgrade', incoming, socket, head)
      })
      // Exclusive, because a port of a worker is otherwise shared by all.
      await new Promise<void>((resolve, reject) => {
        door.once('error', reject)
        door.listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve)
      })
    },
    /** The port on loopback at which this worker takes its sessions from the others. 0 before `attach`. */
    port: (): number => {
      const address = door.address()
      return typeof address === 'object' && address !== null ? address.port : 0
    },
    close: async (): Promise<void> => {
      for (const socket of upgraded) socket.destroy()
      door.closeAllConnections()
      await new Promise((resolve) => door.close(resolve))
    },
  })
}

export type SiblingSessions = ReturnType<typeof siblingSessions>

/** What Engine.IO answers for a session that it does not know. The client then begins a new one. */
const GONE = JSON.stringify({ code: 1, message: 'Session ID unknown' })

function passOn(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming
  const passed = request({ host: '127.0.0.1', port, method, path, headers, timeout: SILENCE_MS }, (given) => {
    const { connection: _connection, 'keep-alive': _keepAlive, ...passedHeaders } = given.headers
    answer.writeHead(given.statusCode ?? 502, passedHeaders)
    given.pipe(answer)
    given.once('error', () => answer.destroy())
  })
  passed.once('timeout', () => passed.destroy())
  passed.once('error', () => {
    if (answer.headersSent) return void answer.destroy()
    answer
      .writeHead(400, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(GONE)
  })
  answer.once('close', () => passed.destroy())
  incoming.pipe(passed)
}

function passUpgrade(
  { method = 'GET', url = '', rawHeaders }: IncomingMessage,
  { socket, head, port }: { readonly socket: Duplex; readonly head: Buffer; readonly port: number },
): void {
  const owner = connect({ host: '127.0.0.1', port })
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  owner.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (head.length > 0) owner.write(head)
  for (const [one, other] of [
    [socket, owner],
    [owner, socket],
  ] as const) {
    one.pipe(other)
    one.once('error', () => other.destroy())
    one.once('close', () => other.destroy())
  }
}
