// Selects the subjects of a new block and writes their places in it.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidFloor } from '../../../shared/proof/ulid.ts'
import { uuid7Floor } from '../../../shared/proof/uuid7.ts'
import { bytes, oneOf, text } from '../../store/columns.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import type { Tile } from './tile_tree.ts'

export interface Leaf {
  readonly kind: 'item' | 'observation'
  readonly id: string
  readonly hash: Buffer
}

/** Number of rows in memory at a time, for blocks of any size. */
const LEAVES_PER_FETCH = 10_000

/**
 * Every visible subject without a block whose id time is at or before the cut, in byte order of the id. There is no
 * lower limit, so a subject that commits late or has an older id time goes into the next block. One cursor is one
 * snapshot. Indexes: items_waiting, entropy_observations_waiting.
 */
export async function* eligibleLeaves(em: EntityManager, cutMs: number): AsyncGenerator<readonly Leaf[]> {
  await change(em, ELIGIBLE({ items: ulidFloor(cutMs + 1), observations: uuid7Floor(cutMs + 1) }))
  for (;;) {
    const leaves = await rows(em, NEXT)
    if (leaves.length > 0) yield leaves
    if (leaves.length < LEAVES_PER_FETCH) break
  }
  await change(em, CLOSE)
}

const ELIGIBLE = command(
  ({ items, observations }: { items: string; observations: string }) => sql`
  DECLARE eligible NO SCROLL CURSOR FOR
  SELECT 'item' AS kind, id, item_hash AS hash FROM items WHERE block_id IS NULL AND id < ${items}
  UNION ALL
  SELECT 'observation', id, observation_hash FROM entropy_observations WHERE block_id IS NULL AND id < ${observations}
  ORDER BY id`,
)

const NEXT = statement(
  { kind: oneOf('item', 'observation'), id: text, hash: bytes },
  sql`FETCH ${sql.lit(LEAVES_PER_FETCH)} FROM eligible`,
)

const CLOSE = command(sql`CLOSE eligible`)

export interface Assignment {
  readonly blockId: string
  readonly cutMs: number
  /** Leaf index of the first of `leaves`. */
  readonly first: number
  readonly leaves: readonly Leaf[]
}

/**
 * Writes the block and the leaf index to exactly these rows. When an item was deleted after it was read, its hash
 * stays a leaf and its tombstone gets the place, so that the audit can tell a deletion from a loss. When any other
 * row is missing, it throws and no block is made.
 */
export async function assignLeaves(
  em: EntityManager,
  { blockId, cutMs, first, leaves }: Assignment,
): Promise<{ items: number; observations: number }> {
  const placesOf = (kind: Leaf['kind']) => {
    const ids: string[] = []
    const places: number[] = []
    for (const [offset, leaf] of leaves.entries())
      if (leaf.kind === kind) {
        ids.push(leaf.id)
        places.push(first + offset)
      }
    return { ids, places }
  }
  const items = placesOf('item')
  const observations = placesOf('observation')
  let placed = 0
  if (items.ids.length > 0) placed += await change(em, PLACE_ITEMS({ blockId, cutMs, ...items }))
  if (observations.ids.length > 0)
    placed += await change(em, PLACE_OBSERVATIONS({ blockId, ...observations }))
  // Each statement has its own snapshot, so this second statement sees items that were deleted while the first one
  // ran.
  if (placed < leaves.length) placed += await change(em, PLACE_TOMBSTONES({ blockId, ...items }))
  if (placed !== leaves.length)
    throw new Error(`Of ${leaves.length} leaves of block ${blockId}, ${placed} were placed.`)
  return { items: items.ids.length, observations: observations.ids.length }
}

interface Places {
  readonly blockId: string
  readonly ids: readonly string[]
  readonly places: readonly number[]
}

const PLACE_ITEMS = command(
  ({ blockId, cutMs, ids, places }: Places & { cutMs: number }) => sql`
  UPDATE items SET block_id = ${blockId}, leaf_index = place.leaf_index, committed_at = from_unix_ms(${cutMs}),
                   updated_at = greatest(items.updated_at, from_unix_ms(${cutMs})),
                   state = CASE items.state WHEN 'created' THEN 'committed' ELSE items.state END
    FROM unnest(${ids}::text[], ${places}::int[]) AS place (id, leaf_index)
   WHERE items.id = place.id COLLATE "C" AND items.block_id IS NULL`,
)

const PLACE_OBSERVATIONS = command(
  ({ blockId, ids, places }: Places) => sql`
  UPDATE entropy_observations AS o SET block_id = ${blockId}, leaf_index = place.leaf_index, state = 'committed'
    FROM unnest(${ids}::text[], ${places}::int[]) AS place (id, leaf_index)
   WHERE o.id = place.id COLLATE "C" AND o.block_id IS NULL`,
)

const PLACE_TOMBSTONES = command(
  ({ blockId, ids, places }: Places) => sql`
  UPDATE item_tombstones AS t SET block_id = ${blockId}, leaf_index = place.leaf_index
    FROM unnest(${ids}::text[], ${places}::int[]) AS place (id, leaf_index)
   WHERE t.id = place.id COLLATE "C" AND t.block_id IS NULL`,
)

/** Inserts all tiles that were filled since the last call, in one INSERT. */
export async function storeTiles(em: EntityManager, blockId: string, tiles: readonly Tile[]): Promise<void> {
  if (tiles.length === 0) return
  const stored = {
    blockId,
    levels: tiles.map(({ level }) => level),
    numbers: tiles.map(({ tile }) => tile),
    hashes: tiles.map((tile) => tile.hashes),
  }
  await change(em, STORE_TILES(stored))
}

interface StoredTiles {
  readonly blockId: string
  readonly levels: readonly number[]
  readonly numbers: readonly number[]
  readonly hashes: readonly Buffer[]
}

const STORE_TILES = command(
  ({ blockId, levels, numbers, hashes }: StoredTiles) => sql`
  INSERT INTO block_tiles (block_id, level, tile, hashes)
  SELECT ${blockId}, level, tile, hashes
    FROM unnest(${levels}::int[], ${numbers}::int[], ${hashes}::bytea[]) AS t (level, tile, hashes)`,
)
