// Reads tiles of the public log from the database.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { TileCoordinate, TileReader } from '../../../shared/log/tile_reader.ts'
import { HASH_BYTES } from '../../../shared/log/tree_hash.ts'
import { bytes, int4, nullable } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

/** Tiles of one call. A proof needs a few of each level. */
const MOST_TILES = 256

/**
 * Tiles in the order of the list, each cut to the width that is asked for. Undefined where there are fewer hashes.
 * Makes one statement. Index: log_tiles_pkey.
 */
export async function tileRows(
  { em }: { em: EntityManager },
  tiles: readonly TileCoordinate[],
): Promise<(Buffer | undefined)[]> {
  if (tiles.length === 0) return []
  if (tiles.length > MOST_TILES) throw new RangeError(`at most ${MOST_TILES} tiles are read at once`)
  const found = await rows(
    em,
    TILES({
      levels: tiles.map(({ level }) => level),
      indexes: tiles.map(({ index }) => index),
      lengths: tiles.map(({ width }) => width * HASH_BYTES),
    }),
  )
  return found.map(({ hashes, length }) => (hashes === null || hashes.length < length ? undefined : hashes))
}

/** For proofs. It throws where a tile is not there. */
export const storedTiles =
  (em: EntityManager): TileReader =>
  async (tiles) =>
    (await tileRows({ em }, tiles)).map((found, at) => {
      if (found === undefined)
        throw new RangeError(`There is no tile ${tiles[at]?.level}/${tiles[at]?.index} of this width.`)
      return found
    })

interface Wanted {
  readonly levels: readonly number[]
  readonly indexes: readonly number[]
  readonly lengths: readonly number[]
}

const TILES = statement(
  { hashes: nullable(bytes), length: int4 },
  ({ levels, indexes, lengths }: Wanted) => sql`
  SELECT substr(t.hashes, 1, wanted.length) AS hashes, wanted.length
    FROM unnest(${levels}::smallint[], ${indexes}::int[], ${lengths}::int[])
         WITH ORDINALITY AS wanted (level, tile, length, place)
    LEFT JOIN log_tiles t ON t.level = wanted.level AND t.tile = wanted.tile
   ORDER BY wanted.place`,
)
