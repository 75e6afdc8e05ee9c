// One address for several databases, of which it leads to one at a time: as a virtual address does at a failover.
import { createServer, connect as dial, type Socket } from 'node:net'

export interface SwitchedAddress {
  /** The given url, changed to go through this address. */
  readonly through: (url: string) => string
  /** Cuts every connection. New ones lead to the database of this url. */
  readonly leadTo: (url: string) => void
  readonly close: () => Promise<void>
}

export async function openSwitchedAddress(first: string): Promise<SwitchedAddress> {
  let target = Number(new URL(first).port)
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const backend = dial({ host: '127.0.0.1', port: target })
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    leadTo: (url) => {
      target = Number(new URL(url).port)
      cut()
    },
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
