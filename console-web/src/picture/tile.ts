// A tile of the picture: what is known of one block, from the page of blocks or from an event of the stream.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { unreadable } from '../data/api_failure.ts'
import { numberAt, textAt } from '../data/json_object.ts'
import { pageOf } from '../data/resource.ts'

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

/** About what one screen shows. Older blocks are on the page of the chain. */
export const MOST_TILES = 90

/** Newest first. */
export const TILES_PATH =
  `/api/json/blocks?sort=-height&page[limit]=${MOST_TILES}` +
  '&fields[block]=height,state,item_count,observation_count,finalized_at'

/** Newest first. @throws ApiFailure */
export const readTiles = (document: JsonValue): readonly Tile[] =>
  pageOf((members) => {
    const tile = tileOf(members)
    if (tile === null) throw unreadable('a page of blocks')
    return tile
  })(document).rows

/** The block of `block.finalized` or `block.committed`, or of a page. Null when it is not one. */
export const tileOf = (data: unknown): Tile | null => {
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
