// Counts this server's stream connections: in total, per address and per account. All streams share these limits.
import { PLANS, type Plan } from '../domain/accounts/plan.ts'

export interface SocketPlaces {
  /** Returns the limit that is reached, or undefined when one more connection may enter. */
  readonly full: (address: string) => 'server' | 'address' | undefined
  /** Counts a new connection. The caller must call `leave` when it ends. */
  readonly enter: (address: string) => Place
  readonly count: () => number
  /** Whether one more connection beyond the limits may enter, only to be told so. */
  readonly mayHear: () => boolean
  /** Counts such a connection. The caller must call `leave` when it ends. */
  readonly hear: () => Place
  readonly most: { readonly server: number; readonly address: number }
}

export interface Place {
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
