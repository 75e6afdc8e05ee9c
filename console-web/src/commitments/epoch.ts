// An epoch and its commitment: which run of blocks one transaction on a public chain carries.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { includedOf, LARGEST_PAGE, pageOf } from '../data/resource.ts'
import { called, numberOrNull, oneOf, or, shape, text, textOrNull } from '../data/shape.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { capital } from '../ui/format.ts'

const STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const

/** Any word that is not known here is shown as waiting, which claims nothing. */
export const commitmentState = or(oneOf(STATES), 'pending')

/** The blocks that it carries, by their ids, which ascend with the chain. */
const run = {
  id: text,
  sequence: or(numberOrNull, 0),
  firstId: called('first_block_id', text),
  lastId: called('last_block_id', text),
  blocks: called('block_count', or(numberOrNull, 0)),
  root: text,
}

export const readEpochRun = shape(run)
export type EpochRun = ReturnType<typeof readEpochRun>

const readEpoch = shape({ ...run, chain: text, network: text, closedAt: text })

const readState = shape({ epochId: text, state: commitmentState, confirmedAt: textOrNull })

export type Epoch = ReturnType<typeof readEpoch> & Omit<ReturnType<typeof readState>, 'epochId'>

/** The newest first; `from` asks for those that may carry the blocks from that time on, the oldest of them first. */
export const epochsPath = (limit: number, from: string | null = null): string =>
  `/api/json/epochs?page[limit]=${limit}&include=commitment` +
  '&fields[epoch]=chain,network,sequence,first_block_id,last_block_id,block_count,root,closed_at' +
  '&fields[commitment]=epoch_id,state,confirmed_at' +
  // An epoch is closed after its blocks.
  (from === null ? '&sort=-closed_at' : `&sort=closed_at&filter[closed_at][gte]=${encodeURIComponent(from)}`)

/** @throws ApiFailure */
export const readEpochs = (document: JsonValue): readonly Epoch[] => {
  const states = new Map(
    includedOf(document, 'commitment', readState).map(({ epochId, ...state }) => [epochId, state]),
  )
  return pageOf(readEpoch)(document).rows.map((epoch) => ({
    ...epoch,
    ...(states.get(epoch.id) ?? { state: 'pending', confirmedAt: null }),
  }))
}

/** The epochs that carry a block, by its id. */
export const epochsOf = (epochs: readonly Epoch[], blockId: string): readonly Epoch[] =>
  epochs.filter(({ firstId, lastId }) => blockId >= firstId && blockId <= lastId)

export const carriedBy = (epochs: readonly Epoch[], blockId: string) => {
  const confirmed = epochsOf(epochs, blockId).filter(isConfirmed)
  return {
    chains: confirmedOn(confirmed),
    /** When the first of them was confirmed. */
    since: confirmed.flatMap(({ confirmedAt }) => confirmedAt ?? []).sort()[0] ?? null,
  }
}

type NamedChain = { readonly chain: string; readonly network: string | null }

/** Such as `Bitcoin`, or `Bitcoin and Stellar`. Undefined while none is confirmed. */
export const confirmedOn = (all: readonly Pick<Epoch, 'chain' | 'network' | 'state'>[]): string | undefined =>
  [...new Set(all.filter(isConfirmed).map(chainName))].sort().join(' and ') || undefined

const isConfirmed = ({ state }: Pick<Epoch, 'state'>): boolean => state === 'confirmed'

/** The name of a chain as people read it. Of a network for trials it says which. */
export const chainName = ({ chain, network }: NamedChain): string => {
  if (network === 'regtest') return 'the development chain'
  const isForAll = network === null || network === 'mainnet' || network === 'public'
  return isForAll ? capital(chain) : `${capital(chain)} ${network}`
}

/**
 * The next epoch of each chain, estimated from the gap between its last two. Soonest first. A chain with
 * fewer than two epochs is left out.
 * @param epochs newest first
 */
export const nextEpochs = (epochs: readonly Pick<Epoch, 'chain' | 'network' | 'closedAt'>[]) =>
  Object.values(Object.groupBy(epochs, ({ chain, network }) => `${chain} ${network}`))
    .flatMap(([last, before] = []) => {
      if (last === undefined || before === undefined) return []
      const lastAt = Date.parse(last.closedAt)
      const gap = lastAt - Date.parse(before.closedAt)
      return gap > 0 ? [{ chain: last.chain, network: last.network, dueAt: lastAt + gap }] : []
    })
    .sort((a, b) => a.dueAt - b.dueAt)

/** No pulse yet. */
const BEFORE_THE_STREAM = '0'

const NONE: readonly Epoch[] = []

/**
 * The newest, or those from that time on. Asked for again when commitments change.
 * @param areWaitedFor Otherwise they are asked for when the stream is open, and then once.
 */
export const useEpochs = (from: string | null, areWaitedFor: boolean): readonly Epoch[] => {
  const pulse = useStreamPulse('commitments', null)
  const path = areWaitedFor || pulse !== BEFORE_THE_STREAM ? epochsPath(LARGEST_PAGE, from) : null
  const loaded = useDocument(path, { read: readEpochs, pulse })
  return loaded.kind === 'found' ? loaded.value : NONE
}
