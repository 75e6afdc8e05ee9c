// A TLS connection to one vetted address: name and certificate are the host's own, nobody is asked again where it is.
import { constants } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { canonicalAddress } from '../../kernel/address_key.ts'
import { RECEIVER_BOUNDS, ReceiverFault } from './receiver_bounds.ts'

export interface Connection {
  readonly socket: TLSSocket
  /** Bytes that came off the wire so far, encrypted and all. */
  readonly wireBytes: () => number
}

export interface PinnedConnector {
  /** @throws ReceiverFault, or what Node and OpenSSL say */
  readonly connect: () => Promise<Connection>
  /** Gives up what is not connected yet. */
  readonly close: () => void
}

/**
 * Made once: reading the authorities anew for every connection costs more than the handshake. A receiver that asks for
 * one handshake after another on the same connection gets none.
 * @param ca trusted instead of the system's certificate authorities: for tests
 */
export const receiverContext = (ca?: string): SecureContext =>
  createSecureContext({
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(ca === undefined ? {} : { ca }),
  })

/** A literal needs no look-up, so the address stands in the place of the host; the certificate is checked for the host. */
export function pinnedConnector(url: URL, address: string, secureContext: SecureContext): PinnedConnector {
  const name = url.hostname.replace(/\.+$/, '')
  const isLiteral = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  const port = url.port === '' ? 443 : Number(url.port)
  const underWay = new Set<Socket>()
  /** Of the last connection that was who it should be: the next one is spared most of the handshake. */
  let session: Buffer | undefined

  const secure = (raw: Socket): TLSSocket => {
    const socket = tlsConnect({
      socket: raw,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Said aloud: the environment has a switch that turns the default off.
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
    connect: () =>
      new Promise<Connection>((resolve, reject) => {
        const raw = connect({ host: address, port, noDelay: true, autoSelectFamily: false })
        underWay.add(raw)
        const settle = (): void => {
          clearTimeout(deadline)
          underWay.delete(raw)
        }
        const fail = (error: Error): void => {
          settle()
          raw.destroy()
          reject(error)
        }
        const deadline = setTimeout(() => fail(tooLate()), RECEIVER_BOUNDS.connect)
        raw.on('error', fail)
        raw.once('close', () => fail(new ReceiverFault('the connection was closed before it was secure')))
        raw.once('connect', () => {
          // Cannot happen; if it ever does, nothing is sent.
          if (canonicalAddress(raw.remoteAddress ?? '') !== canonicalAddress(address))
            return fail(new Error('The connection leads to another address than the one that was vetted.'))
          const socket = secure(raw)
          // Stays: whoever has the connection later hears of errors by its end.
          socket.on('error', fail)
          socket.once('close', () => raw.destroy())
          socket.once('secureConnect', () => {
            settle()
            resolve({ socket, wireBytes: () => raw.bytesRead })
          })
        })
      }),
    close: () => {
      for (const raw of underWay) raw.destroy()
    },
  })
}

const tooLate = (): ReceiverFault =>
  new ReceiverFault(`no connection within ${RECEIVER_BOUNDS.connect / 1_000} s`)
