// The commitments that carry a block.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'
import { numberOrNull, type Resource, readIncluded, textOf, textOrNull } from '../data/resource.ts'
import { type CommitmentState, commitmentState, type EpochRun, readRun } from './epoch.ts'

export type Commitment = {
  readonly id: string
  readonly chain: string
  readonly network: string
  readonly state: CommitmentState
  readonly transactionHash: string | null
  /** The number of the ledger or block that holds it. */
  readonly height: number | null
  readonly confirmedAt: string | null
  readonly error: string | null
  /** The run of blocks that it carries. Null when the epoch was not requested. */
  readonly epoch: EpochRun | null
}

export const readCommitments = (document: JsonValue): Commitment[] => {
  const epochs = new Map(readIncluded(document, 'epoch').map((one) => [one.id, one]))
  return readIncluded(document, 'commitment')
    .map((one) => readCommitment(one, epochs.get(textOrNull(one, 'epoch_id') ?? '')))
    .sort((a, b) => (a.chain + a.network < b.chain + b.network ? -1 : 1))
}

const readCommitment = (resource: Resource, epoch: Resource | undefined): Commitment => ({
  id: resource.id,
  chain: textOf(resource, 'chain'),
  network: textOf(resource, 'network'),
  state: commitmentState(textOf(resource, 'state')),
  transactionHash: textOrNull(resource, 'transaction_hash'),
  height: numberOrNull(resource, 'ledger') ?? numberOrNull(resource, 'block_height'),
  confirmedAt: textOrNull(resource, 'confirmed_at'),
  error: textOrNull(resource, 'error'),
  epoch: epoch === undefined ? null : readRun(epoch),
})

/** The chain's word for that number. */
export const heightWord = (chain: string): string =>
  isChainName(chain) && isLedgerChain(chain) ? 'ledger' : 'height'

/**
 * A chain inside the service itself. It has real headers and transactions, which prove nothing to outsiders.
 */
export const isDevelopment = ({ network }: { readonly network: string }): boolean => network === 'regtest'
