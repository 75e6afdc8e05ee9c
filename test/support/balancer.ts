// A plain load balancer: forwards TCP connections to a server whose /health/ready answers 200.
import { createServer, connect as dial, type Socket } from 'node:net'

export interface Balancer {
  readonly port: number
  readonly base: string
  /** Ports of the servers that get new connections. */
  readonly taking: () => readonly number[]
  readonly close: () => Promise<void>
}

const LOOK_EVERY_MS = 50

export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>()
  const sockets = new Set<Socket>()
  let turn = 0
  let closed = false

  const look = async (port: number): Promise<void> => {
    while (!closed) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      await answer?.text().catch(() => undefined)
      if (answer?.status === 200) ready.add(port)
      else ready.delete(port)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }
  const looking = ports.map(look)

  const server = createServer((client) => {
    const taking = [...ready]
    turn += 1
    const port = taking[turn % Math.max(taking.length, 1)]
    if (port === undefined) return client.destroy()
    const backend = dial({ host: '127.0.0.1', port })
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
    port,
    base: `http://127.0.0.1:${port}`,
    taking: () => [...ready],
    close: async () => {
      closed = true
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all(looking)
    },
  }
}
