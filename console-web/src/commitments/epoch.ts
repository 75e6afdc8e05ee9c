// An epoch and its commitment: which run of blocks one transaction on a public chain carries.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { numberOrNull, type Resource, readIncluded, readPage, textOf, textOrNull } from '../data/resource.ts'

export type CommitmentState = 'pending' | 'submitted' | 'confirmed' | 'failed'

/** The blocks that it carries, by their ids, which ascend with the chain. */
export type EpochRun = {
  readonly sequence: number
  readonly firstId: string
  readonly lastId: string
  readonly blocks: number
  readonly root: string
}

export type Epoch = EpochRun & {
  readonly id: string
  readonly chain: string
  readonly network: string
  readonly closedAt: string
  readonly state: CommitmentState
  readonly confirmedAt: string | null
}

/** The newest first; `from` asks for those that may carry the blocks from that time on, the oldest of them first. */
export const epochsPath = (limit: number, from: string | null = null): string =>
  `/api/json/epochs?page[limit]=${limit}&include=commitment` +
  '&fields[epoch]=chain,network,sequence,first_block_id,last_block_id,block_count,root,closed_at' +
  '&fields[commitment]=epoch_id,state,confirmed_at' +
  // An epoch is closed after its blocks.
  (from === null ? '&sort=-closed_at' : `&sort=closed_at&filter[closed_at][gte]=${encodeURIComponent(from)}`)

/** @throws ApiFailure */
export const readEpochs = (document: JsonValue): readonly Epoch[] => {
  const commitments = new Map(
    readIncluded(document, 'commitment').map((one) => [
      textOf(one, 'epoch_id'),
      { state: commitmentState(textOf(one, 'state')), confirmedAt: textOrNull(one, 'confirmed_at') },
    ]),
  )
  return readPage((resource) => ({
    ...readRun(resource),
    id: resource.id,
    chain: textOf(resource, 'chain'),
    network: textOf(resource, 'network'),
    closedAt: textOf(resource, 'closed_at'),
    ...(commitments.get(resource.id) ?? { state: 'pending' as const, confirmedAt: null }),
  }))(document).rows
}

export const readRun = (epoch: Resource): EpochRun => ({
  sequence: numberOrNull(epoch, 'sequence') ?? 0,
  firstId: textOf(epoch, 'first_block_id'),
  lastId: textOf(epoch, 'last_block_id'),
  blocks: numberOrNull(epoch, 'block_count') ?? 0,
  root: textOf(epoch, 'root'),
})

/** Any word that is not known here is shown as waiting, which claims nothing. */
export const commitmentState = (word: string): CommitmentState =>
  word === 'confirmed' || word === 'failed' || word === 'submitted' ? word : 'pending'

/** The epochs that carry a block, by its id. */
export const epochsOf = (epochs: readonly Epoch[], blockId: string): readonly Epoch[] =>
  epochs.filter(({ firstId, lastId }) => blockId >= firstId && blockId <= lastId)

export type Carried = {
  /** Such as `bitcoin mainnet`, or both chains. Empty while no commitment of it is confirmed. */
  readonly chains: string
  /** When the first of them was confirmed. */
  readonly since: string | null
}

export const carriedBy = (epochs: readonly Epoch[], blockId: string): Carried => {
  const confirmed = epochsOf(epochs, blockId).filter(({ state }) => state === 'confirmed')
  return {
    chains: [...new Set(confirmed.map(({ chain, network }) => `${chain} ${network}`))].sort().join(', '),
    since: confirmed.flatMap(({ confirmedAt }) => confirmedAt ?? []).sort()[0] ?? null,
  }
}

/** The name of a chain as people should read it: a chain that proves nothing to outsiders says so. */
export const chainWords = ({ chain, network }: Pick<Epoch, 'chain' | 'network'>): string => {
  if (network === 'regtest') return `${chain} ${network}, a development chain`
  if (network === 'mainnet' || network === 'public') return `${chain} ${network}`
  return `${chain} ${network}, a test network`
}

export type Forecast = { readonly chain: string; readonly network: string; readonly dueAt: number }

/**
 * The next epoch of each chain, estimated from the gap between its last two. Soonest first. A chain with
 * fewer than two epochs is left out.
 * @param epochs newest first
 */
export const nextEpochs = (
  epochs: readonly Pick<Epoch, 'chain' | 'network' | 'closedAt'>[],
): readonly Forecast[] =>
  Object.values(Object.groupBy(epochs, ({ chain, network }) => `${chain} ${network}`))
    .flatMap(([last, before] = []) => {
      if (last === undefined || before === undefined) return []
      const lastAt = Date.parse(last.closedAt)
      const gap = lastAt - Date.parse(before.closedAt)
      return gap > 0 ? [{ chain: last.chain, network: last.network, dueAt: lastAt + gap }] : []
    })
    .sort((a, b) => a.dueAt - b.dueAt)
