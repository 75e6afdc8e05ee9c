// What a verifier may ask the world: each question has one answer, or none today. Base addresses never come from a bundle.

/** `absent`: the source answered that there is no such thing. `unreachable`: no readable answer; `why` is for people. */
export type Lookup<Found> =
  | { readonly outcome: 'found'; readonly value: Found }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unreachable'; readonly why: string }

/** What an answer does not say is undefined: it then agrees with nothing. */
export interface StellarTransaction {
  readonly hash: string | undefined
  readonly successful: boolean | undefined
  readonly memo_type: string
  /** base64 when the memo is a hash. */
  readonly memo: string | undefined
  readonly ledger: number
  /** When that ledger closed. */
  readonly created_at: string | undefined
}

export interface StellarLedger {
  readonly sequence: number | undefined
  readonly hash: string
  readonly closed_at: string
}

export interface BitcoinBlock {
  /** Its hash, display order. */
  readonly id: string | undefined
  readonly height: number
  /** Unix seconds. */
  readonly timestamp: number
}

export interface NistPulse {
  readonly chainIndex: number | undefined
  readonly pulseIndex: number | undefined
  readonly outputValue: string
  readonly timeStamp: string
}

export interface Lookups {
  /** `public`, or anything else for the test network. */
  readonly stellarTransaction: (network: string, hash: string) => Promise<Lookup<StellarTransaction>>
  readonly stellarLedger: (network: string, sequence: number) => Promise<Lookup<StellarLedger>>
  /** @param hash display order, 64 hex */
  readonly bitcoinBlock: (network: 'mainnet' | 'testnet', hash: string) => Promise<Lookup<BitcoinBlock>>
  readonly nistPulse: (chainIndex: number, pulseIndex: number) => Promise<Lookup<NistPulse>>
}
