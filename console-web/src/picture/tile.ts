// A tile of the picture: what is known of one block, from the page of blocks or from an event of the stream.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { numberAt, textAt } from '../data/json_object.ts'
import { numberOrNull, readPage, textOf } from '../data/resource.ts'

export type Tile = {
  readonly id: string
  readonly height: number
  /** When the block was finalized, in milliseconds of the server's clock. */
  readonly at: number
  /** True once a commitment that carries the block was confirmed. It never becomes false again. */
  readonly committed: boolean
  readonly items: number
  readonly observations: number
}

/** About what one screen shows. Older ones follow as they are wanted. */
const TILES_PER_PAGE = 90

const FIELDS = 'fields[block]=height,state,item_count,observation_count,finalized_at'

/** Newest first. `below` asks for the blocks before that height. */
export const tilesPath = (below: number | null): string =>
  `/api/json/blocks?sort=-height&page[limit]=${TILES_PER_PAGE}&${FIELDS}${
    below === null ? '' : `&filter[height][less_than]=${below}`
  }`

/** Newest first. @throws ApiFailure */
export const readTiles = (document: JsonValue): readonly Tile[] =>
  readPage((resource) => {
    const height = numberOrNull(resource, 'height')
    const at = Date.parse(textOf(resource, 'finalized_at'))
    if (height === null || Number.isNaN(at)) throw unreadable()
    return {
      id: resource.id,
      height,
      at,
      committed: textOf(resource, 'state') === 'committed',
      items: numberOrNull(resource, 'item_count') ?? 0,
      observations: numberOrNull(resource, 'observation_count') ?? 0,
    }
  })(document).rows

/** The block of `block.finalized` or `block.committed`. Null when it is not one. */
export const tileOfEvent = (data: unknown): Tile | null => {
  const id = textAt(data, 'id')
  const height = numberAt(data, 'height')
  const at = Date.parse(textAt(data, 'finalized_at') ?? '')
  if (id === null || height === null || Number.isNaN(at)) return null
  return {
    id,
    height,
    at,
    committed: textAt(data, 'state') === 'committed',
    items: numberAt(data, 'item_count') ?? 0,
    observations: numberAt(data, 'observation_count') ?? 0,
  }
}

const unreadable = (): ApiFailure =>
  new ApiFailure('unreadable', 'The server sent a page of blocks that this page cannot read.')
