// Opens a connection without TLS to one vetted address, for trials on a machine or in a network of one's own.
import { connect, type Socket } from 'node:net'
import type { PinnedConnector, Secured } from './connect_pinned.ts'
import { deadlines } from './deadlines.ts'
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

const connecting = deadlines(RECEIVER_BOUNDS.connect)

/** Connects to the address, so there is no name lookup. */
export function plainConnector(url: URL, address: string): PinnedConnector {
  const port = url.port === '' ? 80 : Number(url.port)
  const underWay = new Set<Socket>()
  return Object.freeze({
    connect: () =>
      new Promise<Secured>((resolve, reject) => {
        const socket = connect({ host: address, port, noDelay: true, autoSelectFamily: false })
        underWay.add(socket)
        const settle = (): void => {
          inTime()
          underWay.delete(socket)
        }
        const fail = (error: Error): void => {
          settle()
          socket.destroy()
          reject(error)
        }
        const inTime = connecting.begin(() =>
          fail(new ReceiverFailure(`no connection within ${RECEIVER_BOUNDS.connect / 1_000} s`)),
        )
        // The listener stays, because an error without a listener would end the process.
        socket.on('error', fail)
        socket.once('connect', () => {
          settle()
          resolve({ socket, wireBytes: () => socket.bytesRead })
        })
      }),
    close: () => {
      for (const socket of underWay) socket.destroy()
    },
  })
}
