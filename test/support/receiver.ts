// A TLS receiver of webhooks on this machine. It records requests and answers as the test says.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Authority, type Certificate, makeAuthority } from './certificate.ts'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[]
  readonly body: string
  readonly at: number
}

/** Called when a request has been read. The socket is for behaviour that an answer cannot express. */
export type Respond = (response: ServerResponse, heard: Heard, socket: Socket) => void

export interface Receiver {
  readonly port: number
  readonly heard: Heard[]
  /** Requests that began, including those that were never answered. */
  readonly begun: () => number
  readonly connections: () => number
  /** Sets the answer from now on. Before the first call it is 200 without a body. */
  readonly respond: (how: Respond | number) => void
  /** Such as `https://127.0.0.1:4321/hook`. */
  readonly url: (host?: string, path?: string) => string
  readonly close: () => Promise<void>
}

export const TEST_AUTHORITY: Authority = makeAuthority('Test authority')

/** Names in the test certificates. The test decides what they resolve to. */
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
    // An error is expected, because some tests close the connection in the middle.
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
