// The public chains that epochs are committed to, one row each.

interface Row {
  /** Frozen: the number in the compact layout. A number never changes and is never used again. */
  readonly code: number
  /** Used in report steps, e.g. `Stellar Commitment`. */
  readonly title: string
  /**
   * What an entry of a bundle carries. `ledger`: the number of the ledger, so the verifier asks the chain for
   * the transaction. `block`: the transaction and its path to a block header, so the verifier asks the chain
   * for that block.
   */
  readonly evidence: 'ledger' | 'block'
  /** The names that commitments give to its networks, the one for everybody first. The others are for trials. */
  readonly networks: readonly [string, ...string[]]
}

/**
 * In the order in which a verification reports them. The verifier's part is in `verify/facts.ts`, the writing
 * in the server's `chains/`.
 */
export const CHAINS = {
  stellar: { code: 40, title: 'Stellar', evidence: 'ledger', networks: ['public', 'testnet'] },
  bitcoin: { code: 41, title: 'Bitcoin', evidence: 'block', networks: ['mainnet', 'testnet', 'regtest'] },
} as const satisfies Readonly<Record<string, Row>>

export type ChainName = keyof typeof CHAINS

/** The chains whose entries carry this evidence. */
export type ChainWith<Evidence extends Row['evidence']> = {
  [Name in ChainName]: (typeof CHAINS)[Name]['evidence'] extends Evidence ? Name : never
}[ChainName]

export const isChainName = (name: unknown): name is ChainName =>
  typeof name === 'string' && Object.hasOwn(CHAINS, name)

export const CHAIN_NAMES: readonly ChainName[] = Object.keys(CHAINS).filter(isChainName)

export const isLedgerChain = (name: ChainName): name is ChainWith<'ledger'> =>
  CHAINS[name].evidence === 'ledger'

/** False for a name that is unknown, or that of a network of another chain. */
export const isNetworkOf = (chain: ChainName, network: string): boolean =>
  CHAINS[chain].networks.some((known) => known === network)

/** The report step of the chain. */
export const commitmentStep = (name: ChainName): string => `${CHAINS[name].title} Commitment`
