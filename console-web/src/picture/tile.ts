// A tile of the picture: what is known of one block, from the page of blocks or from an event of the stream.
import { called, number, numberOrNull, or, shape, text } from '../data/shape.ts'

/** Of `block.finalized` or `block.committed`, or of a page. @throws ApiFailure */
export const readTile = shape({
  id: text,
  height: number,
  /** When the block was finalized, in milliseconds of the server's clock. */
  at: called('finalized_at', (time) => number(Date.parse(text(time)))),
  /** True once a commitment that carries the block was confirmed. It never becomes false again. */
  committed: called('state', (state) => text(state) === 'committed'),
  items: called('item_count', or(numberOrNull, 0)),
  observations: called('observation_count', or(numberOrNull, 0)),
})

export type Tile = ReturnType<typeof readTile>

/** About what one screen shows. Older blocks are on the page of the chain. */
export const MOST_TILES = 90

/** Newest first. */
export const TILES_PATH =
  `/api/json/blocks?sort=-height&page[limit]=${MOST_TILES}` +
  '&fields[block]=height,state,item_count,observation_count,finalized_at'
