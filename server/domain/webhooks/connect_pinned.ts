// Opens a TLS connection to one vetted address. The certificate is checked for the host name, and the name is not
// resolved again.
import { constants } from 'node:crypto'
import { Agent } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { canonicalAddress } from '../../kernel/address_key.ts'
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

export interface Connection {
  readonly socket: TLSSocket
  /** Bytes received on the socket so far, before decryption. */
  readonly wireBytes: () => number
}

export interface PinnedConnector {
  /** @throws ReceiverFailure, or an error of Node or OpenSSL */
  readonly connect: () => Promise<Connection>
  /** Aborts connections that are not established yet. */
  readonly close: () => void
}

export interface PinnedAgent {
  readonly agent: Agent
  /** Counts the bytes received on a connection of the agent. */
  readonly wireOf: (socket: Socket) => () => number
  /** Closes all connections, including those in use. */
  readonly close: () => void
}

/** An agent all of whose connections lead to the address. */
export function pinnedAgent(connector: PinnedConnector, options: Agent['options']): PinnedAgent {
  const wires = new WeakMap<object, () => number>()
  const agent = new Agent(options)
  agent.createConnection = (_options, done) => {
    connector.connect().then(
      ({ socket, wireBytes }) => {
        wires.set(socket, wireBytes)
        done?.(null, socket)
      },
      // The type requires a connection beside the error. It is not used.
      (error: Error) => done?.(error, undefined as never),
    )
    return undefined
  }
  return Object.freeze({
    agent,
    wireOf: (socket: Socket) => wires.get(socket) ?? (() => 0),
    close: () => {
      connector.close()
      agent.destroy()
    },
  })
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

/** Connects to the address, so there is no name lookup. The certificate is checked for the host of the URL. */
export function pinnedConnector(url: URL, address: string, secureContext: SecureContext): PinnedConnector {
  const name = url.hostname.replace(/\.+$/, '')
  const isLiteral = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  const port = url.port === '' ? 443 : Number(url.port)
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
        raw.once('close', () => fail(new ReceiverFailure('the connection was closed before it was secure')))
        raw.once('connect', () => {
          // This cannot happen. If it does, nothing is sent.
          if (canonicalAddress(raw.remoteAddress ?? '') !== canonicalAddress(address))
            return fail(new Error('The connection leads to another address than the one that was vetted.'))
          const socket = secure(raw)
          // The listener stays after the connection is ready, because an error without a listener would end the
          // process. Later users see the connection close.
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

const tooLate = (): ReceiverFailure =>
  new ReceiverFailure(`no connection within ${RECEIVER_BOUNDS.connect / 1_000} s`)
