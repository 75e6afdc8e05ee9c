// Which public chains carry a block: the epochs that were closed, with the state of their commitments.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readIncluded, readPage, textOf, textOrNull } from '../data/resource.ts'

/** One epoch: a run of blocks that one commitment carries. */
export type Carrier = {
  readonly first: string
  readonly last: string
  readonly chain: string
  readonly network: string
  /** State of the commitment, `pending` when there is none yet. */
  readonly state: string
  readonly confirmedAt: string | null
}

/** The newest epochs. */
export const CARRIERS_PATH = carriersPath('')

/** The epochs that may carry the blocks between two times. An epoch is closed after its blocks. */
export function carriersFrom(from: string): string {
  return carriersPath(`filter[closed_at][gte]=${encodeURIComponent(from)}&`, 'closed_at')
}

function carriersPath(filter: string, sort = '-closed_at'): string {
  return `/api/json/epochs?${filter}sort=${sort}&page[limit]=250&include=commitment`
}

export const readCarriers = (document: JsonValue): readonly Carrier[] => {
  const commitments = new Map(
    readIncluded(document, 'commitment').map((one) => [textOf(one, 'epoch_id'), one]),
  )
  return readPage((epoch) => {
    const commitment = commitments.get(epoch.id)
    return {
      first: textOf(epoch, 'first_block_id'),
      last: textOf(epoch, 'last_block_id'),
      chain: textOf(epoch, 'chain'),
      network: textOf(epoch, 'network'),
      state: commitment === undefined ? 'pending' : textOf(commitment, 'state'),
      confirmedAt: commitment === undefined ? null : textOrNull(commitment, 'confirmed_at'),
    }
  })(document).rows
}

export type Carried = {
  /** Such as `bitcoin mainnet`, or both chains. Empty while no commitment of it is confirmed. */
  readonly chains: string
  /** When the first of them was confirmed. */
  readonly since: string | null
  /** The chains whose epoch holds the block and is not confirmed yet. */
  readonly awaited: string
}

export const carriedBy = (carriers: readonly Carrier[], blockId: string): Carried => {
  const holding = carriers.filter(({ first, last }) => first <= blockId && blockId <= last)
  const confirmed = holding.filter(({ state }) => state === 'confirmed')
  const times = confirmed.flatMap(({ confirmedAt }) => confirmedAt ?? []).sort()
  return {
    chains: namesOf(confirmed),
    since: times[0] ?? null,
    awaited: namesOf(holding.filter(({ state }) => state !== 'confirmed')),
  }
}

const namesOf = (carriers: readonly Carrier[]): string =>
  [...new Set(carriers.map(({ chain, network }) => `${chain} ${network}`))].sort().join(', ')
