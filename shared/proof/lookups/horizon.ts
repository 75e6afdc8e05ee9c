// Questions to Horizon about a Stellar network.
import { booleanIn, integerIn, type Question, stringIn } from './lookup.ts'
import type { LookupPlace } from './lookup_places.ts'

export interface StellarTransaction {
  readonly hash: string | undefined
  readonly successful: boolean | undefined
  readonly memo_type: string
  /** base64 when the memo is a hash. */
  readonly memo: string | undefined
  readonly ledger: number
  /** The time when that ledger closed. */
  readonly created_at: string | undefined
}

export interface StellarLedger {
  readonly sequence: number | undefined
  readonly hash: string
  readonly closed_at: string
}

export const stellarTransaction = (network: string, hash: string): Question<StellarTransaction> => ({
  place: horizonOf(network),
  path: `transactions/${hash}`,
  read: (body) => {
    const memoType = stringIn(body, 'memo_type')
    const ledger = integerIn(body, 'ledger')
    if (memoType === undefined || ledger === undefined) return undefined
    return {
      hash: stringIn(body, 'hash'),
      successful: booleanIn(body, 'successful'),
      memo_type: memoType,
      memo: stringIn(body, 'memo'),
      ledger,
      created_at: stringIn(body, 'created_at'),
    }
  },
})

export const stellarLedger = (network: string, sequence: number): Question<StellarLedger> => ({
  place: horizonOf(network),
  path: `ledgers/${sequence}`,
  read: (body) => {
    const hash = stringIn(body, 'hash')
    const closedAt = stringIn(body, 'closed_at')
    if (hash === undefined || closedAt === undefined) return undefined
    return { sequence: integerIn(body, 'sequence'), hash, closed_at: closedAt }
  },
})

/** `public` selects the public network; any other text selects the test network. */
const horizonOf = (network: string): LookupPlace =>
  network === 'public' ? 'horizonPublic' : 'horizonTestnet'
