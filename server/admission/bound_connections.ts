// Limits the TCP connections of the server and of each address, so that no address can take all of them.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, canonicalAddress } from '../kernel/address_key.ts'
import type { AddressRanges } from '../kernel/address_ranges.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { NO_ADDRESS } from './client_address.ts'

export interface ConnectionBounds {
  readonly ceilings: Pick<Ceilings, 'connections' | 'connections_per_address'>
  /** Proxies. Their connections are not counted, because they carry those of many clients. */
  readonly trusted: AddressRanges
  /** Told of each connection that was closed because it was one too many. */
  readonly onRefused: (refused: { readonly of: 'server' | 'address'; readonly address: string }) => void
}

export function boundConnections(server: Server, { ceilings, trusted, onRefused }: ConnectionBounds): void {
  server.maxConnections = ceilings.connections
  server.on('drop', (dropped) => onRefused({ of: 'server', address: dropped?.remoteAddress ?? NO_ADDRESS }))
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '') ?? NO_ADDRESS
    if (trusted.has(address)) return
    const key = addressKey(address)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
    if (count <= ceilings.connections_per_address) return
    onRefused({ of: 'address', address: key })
    socket.destroy()
  })
}
