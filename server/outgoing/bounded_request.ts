// One HTTP request to another service, bounded in time and in bytes, which are counted on the wire. Redirects are not
// followed. Proxy settings of the environment are ignored.
import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { Agent, buildConnector, request } from 'undici'
import { kept } from '../kernel/lru.ts'

interface MeteredOptions {
  /** Maximum size of the body of each answer on these connections. */
  readonly maxBytes: number
  /** Maximum number of connections to one origin. No limit when left out. */
  readonly connections?: number
  /** Trusted instead of the system's certificate authorities. For tests. */
  readonly ca?: string
}

/** Bytes beyond the body: headers, interim answers, framing and TLS. */
const AROUND_BODY = 65_536

/** Maximum number of chunks: this many, plus one for every BYTES_A_PIECE bytes. Each chunk costs time, however small. */
const MOST_PIECES = 1_000
const BYTES_A_PIECE = 256

/** Thrown when more bytes arrive for one request than its body and AROUND_BODY allow. */
class TooMuchOnTheWire extends Error {}

/**
 * HTTP/1.1 without pipelining, so received bytes belong to the last request. Connections are kept open. The count
 * starts again with each request.
 */
export class MeteredAgent extends Agent {
  readonly maxBytes: number

  constructor({ maxBytes, connections, ca }: MeteredOptions) {
    super({
      allowH2: false,
      pipelining: 1,
      connect: meteredConnector(maxBytes, ca),
      ...(connections === undefined ? {} : { connections }),
    })
    this.maxBytes = maxBytes
  }
}

/** TLS runs over a connection that this code opened, because only there can all received bytes be counted. */
function meteredConnector(maxBytes: number, ca: string | undefined): buildConnector.connector {
  const dial = buildConnector({
    allowH2: false,
    // A peer may repeat handshakes on a connection. They carry no data and cost CPU time each.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(ca === undefined ? {} : { ca }),
  })
  return ({ hostname, protocol, port, ...options }, done) => {
    const isSecure = protocol === 'https:'
    const at = { hostname, port: port === '' && isSecure ? '443' : port }
    dial({ ...at, protocol: 'http:' }, (failed, wire) => {
      if (failed !== null) return done(failed, null)
      if (!isSecure) return done(null, metered(wire, wire, maxBytes))
      let isSettled = false
      const settle = (...answer: Parameters<buildConnector.Callback>): void => {
        if (!isSettled) done(...answer)
        isSettled = true
      }
      // An error before the handshake ends is reported only here.
      wire.once('close', () => settle(new Error('the connection was closed before it was secure'), null))
      dial({ ...options, ...at, protocol, httpSocket: wire }, (insecure, socket) =>
        insecure === null ? settle(null, metered(socket, wire, maxBytes)) : settle(insecure, null),
      )
    })
  }
}

/** @param wire the connection below TLS, or the same connection without TLS */
function metered(socket: Socket, wire: Socket, maxBytes: number): Socket {
  const mostBytes = maxBytes + AROUND_BODY
  const mostPieces = MOST_PIECES + Math.ceil(mostBytes / BYTES_A_PIECE)
  let sent = 0
  let before = wire.bytesRead
  let seen = before
  let pieces = 0
  const look = (): void => {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten
      before = seen
      pieces = 0
    }
    seen = wire.bytesRead
    pieces += 1
    if (seen - before > mostBytes) socket.destroy(new TooMuchOnTheWire(`more than ${mostBytes} bytes`))
    else if (pieces > mostPieces) socket.destroy(new TooMuchOnTheWire(`more than ${mostPieces} pieces`))
  }
  // Runs before the parser's listener, so excess bytes are not parsed.
  socket.on('readable', look)
  // Endless session tickets would produce no data to read.
  socket.on('session', look)
  return socket
}

interface BoundedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole exchange, from the first packet to the last byte of the body. */
  readonly timeoutMs: number
  /**
   * Maximum size of the body in bytes. The request fails at the first byte beyond it. All received bytes together may
   * be AROUND_BODY more.
   */
  readonly maxBytes: number
  /** Connections to use instead of a private agent. Their ceiling then applies to all received bytes. */
  readonly dispatcher?: MeteredAgent
  readonly signal?: AbortSignal
}

export interface BoundedResponse {
  /** Any status: 3xx, 4xx and 5xx are answers, not errors. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** `unreachable`: the name, connection or protocol failed, or the answer was incomplete. */
export type RequestFailure = 'timeout' | 'too_large' | 'unreachable'

export class RequestFailed extends Error {
  readonly reason: RequestFailure

  constructor(reason: RequestFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RequestFailed'
    this.reason = reason
  }
}

/** @throws RequestFailed when there is no complete answer within the bounds */
export async function boundedRequest(url: string | URL, bounds: BoundedRequest): Promise<BoundedResponse> {
  const { timeoutMs, maxBytes, signal } = bounds
  const deadline = AbortSignal.timeout(timeoutMs)
  const chatter = new AbortController()
  const signals = [deadline, chatter.signal, ...(signal === undefined ? [] : [signal])]
  const host = new URL(url).host
  let interim = 0
  try {
    const answer = await request(url, {
      method: bounds.method ?? 'GET',
      // A compressed body could exceed the ceiling only after decompression.
      headers: { 'accept-encoding': 'identity', ...bounds.headers },
      body: bounds.body ?? null,
      signal: AbortSignal.any(signals),
      // Interim answers have no ceiling of their own, and thousands of them fit below the byte ceiling.
      onInfo: () => {
        interim += 1
        if (interim > MOST_INTERIM) chatter.abort()
      },
      dispatcher: bounds.dispatcher ?? kept(agents, maxBytes, () => new MeteredAgent({ maxBytes })),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await readUpTo(answer.body, maxBytes, host),
    }
  } catch (error) {
    if (error instanceof RequestFailed) throw error
    if (chatter.signal.aborted)
      throw new RequestFailed('too_large', `${host} sent more than ${MOST_INTERIM} interim answers`, {
        cause: error,
      })
    if (error instanceof TooMuchOnTheWire)
      throw new RequestFailed('too_large', `${host} sent ${error.message}`, { cause: error })
    if (deadline.aborted)
      throw new RequestFailed('timeout', `${host} did not answer within ${timeoutMs} ms`, { cause: error })
    throw new RequestFailed('unreachable', `${host} could not be reached`, { cause: error })
  }
}

/** One agent per ceiling. The number of ceilings is the number of callers in the code. */
const agents = new Map<number, MeteredAgent>()

/** Answers with status 1xx before the final answer. */
const MOST_INTERIM = 10

async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number, host: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // Leaving the loop destroys the stream and its connection.
    if (size > maxBytes) throw new RequestFailed('too_large', `${host} sent more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
