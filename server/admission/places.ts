// Places: connections of the server and of each address, and sockets of each address and account.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { PLANS, type Plan } from '../domain/accounts/plan.ts'
import { type AddressRanges, addressKey, canonicalAddress } from '../kernel/addresses.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { NO_ADDRESS } from './client_address.ts'

export interface SocketPlaces {
  /** Returns the limit that is reached, or undefined when one more connection may enter. */
  readonly full: (address: string) => 'server' | 'address' | undefined
  /** Counts a new connection. The caller must call `leave` when it ends. */
  readonly enter: (address: string) => SocketPlace
  readonly count: () => number
  /** Whether one more connection beyond the limits may enter, only to be told so. */
  readonly mayHear: () => boolean
  /** Counts such a connection. The caller must call `leave` when it ends. */
  readonly hear: () => SocketPlace
  readonly most: { readonly server: number; readonly address: number }
}

export interface SocketPlace {
  /**
   * Assigns the place to an account after authentication. Returns false when the account's plan
   * allows no more connections.
   */
  readonly claim: (userId: string, plan: Plan) => boolean
  readonly leave: () => void
}

/** Connections that are told at once why they may not stay. Each ends within seconds. */
export const MOST_HEARING = 50

export function socketPlaces(most: SocketPlaces['most']): SocketPlaces {
  let taken = 0
  let hearing = 0
  const byAddress = new Map<string, number>()
  const byAccount = new Map<string, number>()
  return Object.freeze({
    most,
    count: () => taken,
    mayHear: () => hearing < MOST_HEARING,
    hear: () => {
      let left = false
      hearing += 1
      return Object.freeze({
        claim: () => false,
        leave: () => {
          if (!left) hearing -= 1
          left = true
        },
      })
    },
    full: (address: string) => {
      if (taken >= most.server) return 'server'
      return (byAddress.get(address) ?? 0) >= most.address ? 'address' : undefined
    },
    enter: (address: string) => {
      let account: string | undefined
      let left = false
      taken += 1
      add(byAddress, address, 1)
      return Object.freeze({
        claim: (userId: string, plan: Plan) => {
          if (left || account === userId) return account === userId
          if ((byAccount.get(userId) ?? 0) >= PLANS[plan].sockets) return false
          if (account !== undefined) add(byAccount, account, -1)
          account = userId
          add(byAccount, userId, 1)
          return true
        },
        leave: () => {
          if (left) return
          left = true
          taken -= 1
          add(byAddress, address, -1)
          if (account !== undefined) add(byAccount, account, -1)
        },
      })
    },
  })
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

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
