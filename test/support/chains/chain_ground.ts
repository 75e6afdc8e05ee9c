// A public chain under test: what the conformance suite does to each kind of chain directly.
import type { Chain, PreparedTransaction } from '../../../server/domain/commitments/chains/chain.ts'

export interface ChainGround {
  readonly chain: Chain
  /** Includes the waiting transactions, as deep as settlement requires. */
  readonly include: () => Promise<void>
  /** Sends a transaction that the chain accepts and then forgets. */
  readonly broadcastInVain: (prepared: PreparedTransaction) => Promise<void>
  /** Spends the inputs of this transaction in another transaction, for good. */
  readonly spendElsewhere: (prepared: PreparedTransaction) => Promise<void>
  /** Takes the last inclusion back. Absent for chains that never do this. */
  readonly reorganise?: () => Promise<void>
  /** The root, as hex, of every included transaction that carries one. */
  readonly roots: () => Promise<string[]>
  readonly close: () => Promise<void>
}

export interface ChainKind {
  readonly name: string
  readonly open: () => Promise<ChainGround>
  /** The same chain behind another address, with short time limits. */
  readonly behind: (address: string) => Chain
}
