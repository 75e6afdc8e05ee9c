// The public chains that epochs are committed to: a row each.

/** In the order in which a verification reports them. */
export const CHAIN_NAMES = ['stellar', 'bitcoin'] as const
export type ChainName = (typeof CHAIN_NAMES)[number]

interface Row {
  /** Frozen: its number in the compact layout. A number never changes, and is never given again. */
  readonly code: number
  /** e.g. in the steps of a report: `Stellar Commitment`. */
  readonly title: string
  /**
   * What an entry of a bundle carries. `ledger`: the number of the ledger; the chain itself is asked what the transaction
   * says. `block`: the transaction and its path to the header of a block; the chain is asked for that block.
   */
  readonly evidence: 'ledger' | 'block'
}

/** What a verifier does with them stands in `verify/chain_readers.ts`, how we write to them in the server's `chains/`. */
export const CHAINS = {
  stellar: { code: 40, title: 'Stellar', evidence: 'ledger' },
  bitcoin: { code: 41, title: 'Bitcoin', evidence: 'block' },
} as const satisfies Readonly<Record<ChainName, Row>>

/** The chains whose entries carry this. */
export type ChainWith<Evidence extends Row['evidence']> = {
  [Name in ChainName]: (typeof CHAINS)[Name]['evidence'] extends Evidence ? Name : never
}[ChainName]

export const isChainName = (name: unknown): name is ChainName =>
  typeof name === 'string' && Object.hasOwn(CHAINS, name)

export const isLedgerChain = (name: ChainName): name is ChainWith<'ledger'> =>
  CHAINS[name].evidence === 'ledger'

/** The step of a report that is about it. */
export const commitmentStep = (name: ChainName): string => `${CHAINS[name].title} Commitment`
