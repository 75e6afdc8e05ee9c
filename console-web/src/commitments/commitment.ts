// The commitments that carry a block, and when the next commitments are expected.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'
import { numberOrNull, type Resource, readIncluded, readPage, textOf, textOrNull } from '../data/resource.ts'

export type Commitment = {
  readonly id: string
  readonly chain: string
  readonly network: string
  /** `pending`, `submitted`, `confirmed` or `failed`. */
  readonly state: string
  readonly transactionHash: string | null
  /** The number of the ledger or block that holds it. */
  readonly height: number | null
  readonly confirmedAt: string | null
  readonly error: string | null
  /** The run of blocks that it carries. Null when the epoch was not requested. */
  readonly epoch: CarriedEpoch | null
}

export type CarriedEpoch = {
  readonly sequence: number
  readonly blocks: number
  readonly root: string
  readonly first: string
  readonly last: string
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
  state: textOf(resource, 'state'),
  transactionHash: textOrNull(resource, 'transaction_hash'),
  height: numberOrNull(resource, 'ledger') ?? numberOrNull(resource, 'block_height'),
  confirmedAt: textOrNull(resource, 'confirmed_at'),
  error: textOrNull(resource, 'error'),
  epoch: epoch === undefined ? null : readEpoch(epoch),
})

const readEpoch = (epoch: Resource): CarriedEpoch => ({
  sequence: numberOrNull(epoch, 'sequence') ?? 0,
  blocks: numberOrNull(epoch, 'block_count') ?? 0,
  root: textOf(epoch, 'root'),
  first: textOf(epoch, 'first_block_id'),
  last: textOf(epoch, 'last_block_id'),
})

/** The chain's word for that number. */
export const heightWord = (chain: string): string =>
  isChainName(chain) && isLedgerChain(chain) ? 'ledger' : 'height'

/**
 * A chain inside the service itself. It has real headers and transactions, which prove nothing to outsiders.
 */
export const isDevelopment = ({ network }: { readonly network: string }): boolean => network === 'regtest'

export type ClosedEpoch = { readonly chain: string; readonly network: string; readonly closedAt: string }

export const EPOCHS_PATH = '/api/json/epochs?sort=-closed_at&page[limit]=12'

export const readEpochs = (document: JsonValue): readonly ClosedEpoch[] =>
  readPage((resource) => ({
    chain: textOf(resource, 'chain'),
    network: textOf(resource, 'network'),
    closedAt: textOf(resource, 'closed_at'),
  }))(document).rows

export type Forecast = { readonly chain: string; readonly network: string; readonly dueAt: number }

/**
 * The next epoch of each chain, estimated from the gap between its last two. Soonest first. A chain with
 * fewer than two epochs is left out.
 */
export const nextEpochs = (epochs: readonly ClosedEpoch[]): Forecast[] => {
  const byChain = new Map<string, ClosedEpoch[]>()
  for (const epoch of epochs) {
    const name = `${epoch.chain} ${epoch.network}`
    byChain.set(name, [...(byChain.get(name) ?? []), epoch])
  }
  return [...byChain.values()]
    .flatMap(([last, before]) => {
      if (last === undefined || before === undefined) return []
      const lastAt = Date.parse(last.closedAt)
      const gap = lastAt - Date.parse(before.closedAt)
      return gap > 0 ? [{ chain: last.chain, network: last.network, dueAt: lastAt + gap }] : []
    })
    .sort((a, b) => a.dueAt - b.dueAt)
}
