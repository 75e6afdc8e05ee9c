// The commitments that carry a block.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'
import { includedOf } from '../data/resource.ts'
import { numberOrNull, shape, text, textOrNull } from '../data/shape.ts'
import { commitmentState, type EpochRun, readEpochRun } from './epoch.ts'

const readCommitment = shape({
  id: text,
  chain: text,
  network: text,
  state: commitmentState,
  transactionHash: textOrNull,
  /** The number of the ledger or block that holds it. */
  ledger: numberOrNull,
  blockHeight: numberOrNull,
  confirmedAt: textOrNull,
  error: textOrNull,
  epochId: textOrNull,
})

export type Commitment = ReturnType<typeof readCommitment> & {
  /** The run of blocks that it carries. Null when the epoch was not requested. */
  readonly epoch: EpochRun | null
}

export const readCommitments = (document: JsonValue): Commitment[] => {
  const epochs = new Map(includedOf(document, 'epoch', readEpochRun).map((run) => [run.id, run]))
  return includedOf(document, 'commitment', readCommitment)
    .map((one) => ({ ...one, epoch: epochs.get(one.epochId ?? '') ?? null }))
    .sort((a, b) => (a.chain + a.network < b.chain + b.network ? -1 : 1))
}

/** The chain's word for that number. */
export const heightWord = (chain: string): string =>
  isChainName(chain) && isLedgerChain(chain) ? 'ledger' : 'height'

/**
 * A chain inside the service itself. It has real headers and transactions, which prove nothing to outsiders.
 */
export const isDevelopment = ({ network }: { readonly network: string }): boolean => network === 'regtest'
