// A receiver of webhooks on this machine, over TLS: it keeps what it hears and answers as the test says.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Authority, type Certificate, makeAuthority } from './certificate.ts'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly body: string
  readonly at: number
}

/** What is in hand when a request has been read: the answer, and the connection for what no answer can do. */
export type Respond = (response: ServerResponse, heard: Heard, socket: Socket) => void

export interface Receiver {
  readonly port: number
  readonly heard: Heard[]
  /** Requests that were begun, also those never answered. */
  readonly begun: () => number
  readonly connections: () => number
  /** The answer from now on; 200 without a body until it is said. */
  readonly respond: (how: Respond | number) => void
  /** e.g. `https://127.0.0.1:4321/hook` */
  readonly url: (host?: string, path?: string) => string
  readonly close: () => Promise<void>
}

export const TEST_AUTHORITY: Authority = makeAuthority()

/** Names that test certificates are for; what they resolve to is the test's business. */
export const TEST_NAMES = ['127.0.0.1', '::1', 'hooks.example.com', '*.receivers.example.com'] as const

export async function openReceiver({
  certificate = TEST_AUTHORITY.issue(TEST_NAMES),
  host = '127.0.0.1',
}: {
  certificate?: Certificate
  host?: string
} = {}): Promise<Receiver> {
  const heard: Heard[] = []
  const sockets = new Set<Socket>()
  let begun = 0
  let connections = 0
  let how: Respond | number = 200
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    begun += 1
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one: Heard = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(parts).toString(),
      at: Date.now(),
    }
    heard.push(one)
    if (typeof how === 'number') response.writeHead(how).end()
    else how(response, one, request.socket)
  }
  const server = createServer({ ...certificate, maxHeaderSize: 131_072 }, (request, response) => {
    // A peer that goes away in the middle is the test's intention.
    take(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    heard,
    begun: () => begun,
    connections: () => connections,
    respond: (next) => {
      how = next
    },
    url: (name = '127.0.0.1', path = '/hook') => `https://${name}:${port}${path}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
