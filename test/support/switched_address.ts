// One address for several databases, of which it leads to one at a time: as a virtual address does at a failover.
import type { Socket } from 'node:net'
import { listenForRelay, relay } from './relay.ts'

export interface SwitchedAddress {
  /** The given url, changed to go through this address. */
  readonly through: (url: string) => string
  /** Cuts every connection. New ones lead to the database of this url. */
  readonly leadTo: (url: string) => void
  /** No connection is cut or refused, and nothing is said on any of them, until `leadTo`. */
  readonly fallSilent: () => void
  readonly close: () => Promise<void>
}

export async function openSwitchedAddress(first: string): Promise<SwitchedAddress> {
  let target = Number(new URL(first).port)
  let isSilent = false
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const { server, port } = await listenForRelay((client) => {
    if (!isSilent) return relay(client, target, sockets)
    sockets.add(client)
    client.on('error', () => undefined).on('close', () => sockets.delete(client))
  })
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    leadTo: (url) => {
      target = Number(new URL(url).port)
      isSilent = false
      cut()
    },
    fallSilent: () => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
