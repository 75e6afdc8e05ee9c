// Reads tiles and entries of the public log from the database.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { blockComposite, entryBytes } from '../../../shared/log/log_entry.ts'
import { TILE_WIDTH, type TileCoordinate, type TileReader } from '../../../shared/log/tile_reader.ts'
import { HASH_BYTES } from '../../../shared/log/tree_hash.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'

/** Tiles of one call. A proof needs a few of each level. */
const MOST_TILES = 256

/**
 * Tiles in the order of the list, each cut to the width that is asked for. Undefined where there are fewer hashes.
 * Makes one statement. Index: log_tiles_pkey.
 */
export async function tileRows(
  em: EntityManager,
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
    (await tileRows(em, tiles)).map((found, at) => {
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

/**
 * The entries from `from` up to, not including, `to`, at most 256 of them; fewer when the ledger ends before. Makes one
 * statement. Index: blocks_height_key.
 */
export async function entryRows(
  em: EntityManager,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Uint8Array[]> {
  if (to - from > TILE_WIDTH) throw new RangeError(`at most ${TILE_WIDTH} entries are read at once`)
  return (await rows(em, BLOCKS({ from, to }))).map((block, at) => {
    if (block.height !== from + at) throw new Error(`The ledger has no block ${from + at}.`)
    return entryOf(block)
  })
}

const entryOf = (block: RowFrom<typeof BLOCKS>): Uint8Array =>
  entryBytes({
    composite: blockComposite({
      id: block.id,
      previousBlockHash: block.previous_block_hash,
      merkleRoot: block.merkle_root,
      metadataHash: block.metadata_hash,
      keyId: block.signing_key_id,
    }),
    signature: block.signature,
    metadata: block.metadata,
  })

const BLOCKS = statement(
  {
    height: int4,
    id: text,
    previous_block_hash: bytes,
    merkle_root: bytes,
    metadata_hash: bytes,
    signing_key_id: bytes,
    signature: bytes,
    metadata: text,
  },
  ({ from, to }: { from: number; to: number }) => sql`
  SELECT height, id, previous_block_hash, merkle_root, metadata_hash, signing_key_id, signature, metadata
    FROM blocks WHERE height >= ${from} AND height < ${to} ORDER BY height`,
)
