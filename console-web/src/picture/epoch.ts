// An epoch and its commitment: which run of blocks one transaction on a public chain carries.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { numberOrNull, readIncluded, readPage, textOf, textOrNull } from '../data/resource.ts'

export type CommitmentState = 'pending' | 'submitted' | 'confirmed' | 'failed'

export type Epoch = {
  readonly id: string
  readonly chain: string
  readonly network: string
  readonly sequence: number
  readonly firstId: string
  readonly lastId: string
  readonly blocks: number
  readonly closedAt: string
  readonly state: CommitmentState
  readonly confirmedAt: string | null
}

export const EPOCHS_PER_PAGE = 100
/** As many as tiles could need when each block has an epoch on two chains, within reason. */
export const MOST_EPOCHS = 4_000

/** Newest first. `until` asks for the epochs that were closed at that time or before. */
export const epochsPath = (until: string | null): string =>
  `/api/json/epochs?sort=-closed_at&page[limit]=${EPOCHS_PER_PAGE}&include=commitment` +
  '&fields[epoch]=chain,network,sequence,first_block_id,last_block_id,block_count,closed_at' +
  `&fields[commitment]=epoch_id,state,confirmed_at${
    until === null ? '' : `&filter[closed_at][less_than_or_equal]=${encodeURIComponent(until)}`
  }`

/** @throws ApiFailure */
export const readEpochPage = (document: JsonValue): readonly Epoch[] => {
  const commitments = new Map(
    readIncluded(document, 'commitment').map((one) => [
      textOf(one, 'epoch_id'),
      { state: commitmentState(textOf(one, 'state')), confirmedAt: textOrNull(one, 'confirmed_at') },
    ]),
  )
  return readPage((resource) => ({
    id: resource.id,
    chain: textOf(resource, 'chain'),
    network: textOf(resource, 'network'),
    sequence: numberOrNull(resource, 'sequence') ?? 0,
    firstId: textOf(resource, 'first_block_id'),
    lastId: textOf(resource, 'last_block_id'),
    blocks: numberOrNull(resource, 'block_count') ?? 0,
    closedAt: textOf(resource, 'closed_at'),
    ...(commitments.get(resource.id) ?? { state: 'pending' as const, confirmedAt: null }),
  }))(document).rows
}

/** Any word that is not known here is shown as waiting, which claims nothing. */
export const commitmentState = (word: string): CommitmentState =>
  word === 'confirmed' || word === 'failed' || word === 'submitted' ? word : 'pending'

/** Newest first. What was read last counts, because a reorganisation may undo a confirmation. */
export const joinEpochs = (
  held: readonly Epoch[],
  read: readonly Epoch[],
  most: number = MOST_EPOCHS,
): readonly Epoch[] => {
  const byId = new Map([...held, ...read].map((epoch) => [epoch.id, epoch]))
  return [...byId.values()]
    .sort((a, b) => (a.closedAt === b.closedAt ? (a.id < b.id ? 1 : -1) : a.closedAt < b.closedAt ? 1 : -1))
    .slice(0, most)
}

/** The name of a chain as people should read it: a chain that proves nothing to outsiders says so. */
export const chainWords = ({ chain, network }: Pick<Epoch, 'chain' | 'network'>): string => {
  if (network === 'regtest') return `${chain} ${network}, a development chain`
  if (network === 'mainnet' || network === 'public') return `${chain} ${network}`
  return `${chain} ${network}, a test network`
}
