// A public chain under a test's feet: what the conformance suite does to each kind of chain behind its back.
import type { Chain, PreparedTransaction } from '../../../server/domain/commitments/chains/chain.ts'

export interface ChainGround {
  readonly chain: Chain
  /** What waits is included, as deep as it has to be. */
  readonly include: () => Promise<void>
  /** Sends it; the chain takes it, and forgets it. */
  readonly broadcastInVain: (prepared: PreparedTransaction) => Promise<void>
  /** Somebody else uses up what this transaction spends, for good. */
  readonly spendElsewhere: (prepared: PreparedTransaction) => Promise<void>
  /** Takes the last inclusion back; absent where a chain never does. */
  readonly reorganise?: () => Promise<void>
  /** Of every transaction that the chain counts as included and that carries one: its root, as hex. */
  readonly roots: () => Promise<string[]>
  readonly close: () => Promise<void>
}

export interface ChainKind {
  readonly name: string
  readonly open: () => Promise<ChainGround>
  /** The same chain behind another address, with short patience. */
  readonly behind: (address: string) => Chain
}
