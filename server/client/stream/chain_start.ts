// Where a reader of the chain begins: behind the block of a height, a hash or an id, or with the first block of a time.
import { Complaint } from '../../../shared/cli/terminal.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import { blocks, type ChainFollower, type FollowedBlock } from './follow_chain.ts'

type Reader = Omit<ChainFollower, 'everyMs'>

/**
 * The height of the first block to tell. It is beyond the newest one when all that is told is still to come.
 * @throws Complaint when the place is none
 */
export async function chainStart(
  reader: Reader,
  start: { readonly newest: number } | { readonly since: string },
): Promise<number> {
  if ('newest' in start) return Math.max(0, (await headHeight(reader)) + 1 - start.newest)
  const { since } = start
  const names = readNames(since, Date.now())
  // Ten digits may be a height, too. A chain of that height is longer than any.
  const place = names.find(({ kind }) => kind === 'time') ?? names[0]
  const block = place === undefined ? undefined : await blockAt(reader, place)
  if (block !== undefined) return block.height + (place?.kind === 'time' ? 0 : 1)
  if (place?.kind === 'time') return (await headHeight(reader)) + 1
  const isPlace = place !== undefined && questionOf(place) !== undefined
  throw new Complaint(isPlace ? `There is no block ${since}.` : `${since} names no block.`, {
    exitCode: isPlace ? 1 : 2,
    advice:
      '--since takes the height, the hash or the id of a block, or a time such as 2026-11-26T18:00:00Z.',
  })
}

async function headHeight(reader: Reader): Promise<number> {
  const [head] = await blocks(reader, { sort: '-height', 'page[limit]': '1' })
  return head?.height ?? -1
}

async function blockAt(reader: Reader, place: Named): Promise<FollowedBlock | undefined> {
  const query = questionOf(place)
  return query === undefined ? undefined : (await blocks(reader, { ...query, 'page[limit]': '1' }))[0]
}

/** Undefined for what no block is called by. */
function questionOf(place: Named): Readonly<Record<string, string>> | undefined {
  switch (place.kind) {
    case 'height':
      return { 'filter[height]': String(place.height) }
    case 'hash':
      return { 'filter[block_hash]': place.hash }
    case 'id':
      return { 'filter[id]': place.id }
    case 'time':
      return { 'filter[finalized_at][gte]': new Date(place.from).toISOString(), sort: 'finalized_at' }
    case 'item':
    case 'message':
    case 'digest':
      return undefined
    default:
      return place satisfies never
  }
}
