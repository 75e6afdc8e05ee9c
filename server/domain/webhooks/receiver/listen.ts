// Listens for webhooks on this machine: TLS with a certificate that is made at start, and one known name.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { makeAuthority } from '../../../kernel/certificate.ts'
import type { Log } from '../../../kernel/log.ts'
import { RECEIVER_ORIGIN } from '../../../outgoing/guard.ts'
import { keepLines } from '../../../outgoing/lines.ts'
import { openLines } from '../../../outgoing/post_pinned.ts'
import type { OwnReceiver } from '../sending/attempt.ts'
import { type ReceiverAnswer, TOKEN } from './receiver_address.ts'
import type { TakeRequest } from './receiver_request.ts'

/** Bytes, milliseconds and counts. `silentMs` is longer than an attempt may take, so the sender gives up first. */
const BOUNDS = {
  bodyBytes: 65_536,
  headerBytes: 131_072,
  connections: 200,
  arriveMs: 10_000,
  slowMs: 5_000,
  silentMs: 20_000,
} as const

const ADDRESS = '127.0.0.1'

/** Longer than a process runs. Only this process trusts it, and the key is never stored. */
const VALID = { from: -1, to: 3_650 } as const

export interface ListeningReceiver extends OwnReceiver {
  readonly port: number
  readonly close: () => Promise<void>
}

export async function openReceiver(take: TakeRequest, log: Log): Promise<ListeningReceiver> {
  const { host } = new URL(RECEIVER_ORIGIN)
  const authority = makeAuthority('Pharos receiver', VALID)
  const sockets = new Set<Socket>()
  const server = createServer(
    {
      ...authority.issue([host]),
      maxHeaderSize: BOUNDS.headerBytes,
      headersTimeout: BOUNDS.arriveMs,
      requestTimeout: BOUNDS.arriveMs,
    },
    (request, response) => {
      receive(request, response).catch((err: unknown) => {
        log.warn({ err }, 'receiver.failed')
        response.destroy()
      })
    },
  )
  server.maxConnections = BOUNDS.connections
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = request.headers.host === host ? (request.url ?? '').slice(1) : ''
    if (!TOKEN.test(token) || request.url?.startsWith('/') !== true) return answer(response, 404)
    const body = await readAll(request)
    if (body === undefined) return answer(response, 413)
    const { method = '', rawHeaders } = request
    const how = await take({ token, method, rawHeaders, body })
    if (how === undefined) answer(response, 404)
    else answerAs(how, response)
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  // Whoever does not trust the certificate is no sender of ours.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Workers of one start would share the port otherwise, and each trusts only its own certificate.
    server.listen({ port: 0, host: ADDRESS, exclusive: true }, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const lines = keepLines(openLines({ ca: authority.cert, port }))
  return Object.freeze({
    address: ADDRESS,
    port,
    lines,
    close: async () => {
      lines.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  })
}

/** Undefined when there is more than the bound. The rest is not read. */
async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += part.length
    if (length > BOUNDS.bodyBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function answerAs(how: ReceiverAnswer, response: ServerResponse): void {
  switch (how) {
    case 'ok':
      answer(response, 200)
      break
    case 'error':
      answer(response, 500)
      break
    case 'slow':
      later(response, BOUNDS.slowMs, () => answer(response, 200))
      break
    case 'never':
      later(response, BOUNDS.silentMs, () => response.destroy())
      break
    default:
      how satisfies never
  }
}

function later(response: ServerResponse, ms: number, act: () => void): void {
  const timer = setTimeout(act, ms).unref()
  response.once('close', () => clearTimeout(timer))
}

const WORDS: Readonly<Record<number, string>> = {
  200: 'Received by the built-in receiver.',
  404: 'The built-in receiver has no such address.',
  413: 'This is more than the built-in receiver takes.',
  500: 'The built-in receiver was told to answer 500.',
}

function answer(response: ServerResponse, status: number): void {
  const hasRest = !response.req.complete
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(hasRest ? { connection: 'close' } : {}),
  })
  response.end(WORDS[status] ?? '')
}
