// Connections to the world outside that are counted as bytes come off the wire: nothing goes by uncounted because HTTP has no name for it.
import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'

export interface MeteredOptions {
  /** Ceiling of the body of every answer on these connections. */
  readonly maxBytes: number
  /** To one origin at a time; as many as are needed when nothing is said. */
  readonly connections?: number
  /** Trusted instead of the system's certificate authorities: for tests. */
  readonly ca?: string
}

/** Bytes beyond the body: head, interim answers, framing, and TLS around it all. */
export const AROUND_BODY = 65_536

/** So many pieces, and one more for every so many bytes: reading a byte at a time costs as much as a page at a time. */
const MOST_PIECES = 1_000
const BYTES_A_PIECE = 256

/** More came in answer to one request than a body may have and what goes around it. */
export class TooMuchOnTheWire extends Error {}

/**
 * HTTP/1.1 without pipelining, so that what comes belongs to the request that was sent last. Kept open for the next
 * request, for which the count begins anew.
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

/** TLS is put around a connection that is at hand, because only there are its own bytes to be seen. */
function meteredConnector(maxBytes: number, ca: string | undefined): buildConnector.connector {
  const dial = buildConnector({
    allowH2: false,
    // One handshake after another on the same connection says nothing, and is paid for each time.
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
      // Before it is secure: nobody else says so.
      wire.once('close', () => settle(new Error('the connection was closed before it was secure'), null))
      dial({ ...options, ...at, protocol, httpSocket: wire }, (insecure, socket) =>
        insecure === null ? settle(null, metered(socket, wire, maxBytes)) : settle(insecure, null),
      )
    })
  }
}

/** @param wire the connection under TLS, or the same one */
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
  // Here, and so before the parser's own listener: what is too much is not looked at.
  socket.on('readable', look)
  // Of tickets without end there would never be anything to read.
  socket.on('session', look)
  return socket
}
