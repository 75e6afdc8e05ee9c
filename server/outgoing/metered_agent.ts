// Connections to other services whose received bytes are counted on the wire, including bytes outside of HTTP
// answers.
import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'

export interface MeteredOptions {
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
export class TooMuchOnTheWire extends Error {}

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
