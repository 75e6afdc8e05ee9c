// A plain load balancer: forwards TCP connections to a server whose /health/ready answers 200.
import type { Socket } from 'node:net'
import { listenForRelay, relay } from './relay.ts'

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

  const { server, port } = await listenForRelay((client) => {
    const taking = [...ready]
    turn += 1
    const next = taking[turn % Math.max(taking.length, 1)]
    if (next === undefined) return client.destroy()
    relay(client, next, sockets)
  })
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
