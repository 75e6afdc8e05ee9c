// Opens connections to one vetted address. With TLS the certificate is checked for the host name, and the name is not
// resolved again. Without TLS only where the caller vets that, for trials on a machine or in a network of one's own.
import { constants } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { canonicalAddress } from '../kernel/addresses.ts'
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

export interface Secured {
  /** With TLS, unless the target is one that may be reached without. */
  readonly socket: Socket
  /** Bytes received on the socket so far, before decryption. */
  readonly wireBytes: () => number
}

/**
 * Make it once, because reading the certificate authorities for every connection costs more than a handshake.
 * Renegotiation is off, so a receiver cannot request many handshakes on one connection.
 * @param ca trusted instead of the system's certificate authorities, for tests
 */
export const receiverContext = (ca?: string): SecureContext =>
  createSecureContext({
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(ca === undefined ? {} : { ca }),
  })

/**
 * Connects to the address, so there is no name lookup. The certificate is checked for the host of the URL. For an
 * address of http the connection is made without TLS.
 */
export function pinnedConnector(url: URL, address: string, secureContext: SecureContext) {
  const isPlain = url.protocol === 'http:'
  const port = url.port === '' ? (isPlain ? 80 : 443) : Number(url.port)
  const name = url.hostname.replace(/\.+$/, '')
  const isLiteral = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  const underWay = new Set<Socket>()
  /** The TLS session of the last trusted connection. It makes the next handshake cheaper. */
  let session: Buffer | undefined

  const secure = (raw: Socket): TLSSocket => {
    const socket = tlsConnect({
      socket: raw,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Explicit, because an environment variable can change the default.
      rejectUnauthorized: true,
      ...(isLiteral ? { host: address } : { host: name, servername: name }),
      ...(session === undefined ? {} : { session }),
    })
    socket.on('session', (next) => {
      if (socket.authorized) session = next
    })
    return socket
  }

  return Object.freeze({
    /** @throws ReceiverFailure, or an error of Node or OpenSSL */
    connect: () =>
      new Promise<Secured>((resolve, reject) => {
        const raw = connect({ host: address, port, noDelay: true, autoSelectFamily: false })
        underWay.add(raw)
        const settle = (): void => {
          clearTimeout(timer)
          underWay.delete(raw)
        }
        const fail = (error: Error): void => {
          settle()
          raw.destroy()
          reject(error)
        }
        const ready = (socket: Socket): void => {
          settle()
          resolve({ socket, wireBytes: () => raw.bytesRead })
        }
        const timer = setTimeout(() => fail(tooLate()), RECEIVER_BOUNDS.connect).unref()
        // The listener stays after the connection is ready, because an error without a listener would end the process.
        // Later users see the connection close.
        raw.on('error', fail)
        raw.once('close', () => fail(new ReceiverFailure('the connection was closed before it was secure')))
        raw.once('connect', () => {
          // This cannot happen. If it does, nothing is sent.
          if (canonicalAddress(raw.remoteAddress ?? '') !== canonicalAddress(address))
            return fail(new Error('The connection leads to another address than the one that was vetted.'))
          if (isPlain) return ready(raw)
          const socket = secure(raw)
          socket.on('error', fail)
          socket.once('close', () => raw.destroy())
          socket.once('secureConnect', () => ready(socket))
        })
      }),
    /** Aborts connections that are not established yet. */
    close: () => {
      for (const raw of underWay) raw.destroy()
    },
  })
}

const tooLate = (): ReceiverFailure =>
  new ReceiverFailure(`no connection within ${RECEIVER_BOUNDS.connect / 1_000} s`)
