// Takes what waits for a block into it, in pieces inside the database. Only the hashes leave it, for the tree.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidFloor, uuid7Floor } from '../../kernel/identifiers.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { type Columnwise, columnwise } from '../../store/columnwise.ts'
import { change, command, type RowFrom, row, statement } from '../../store/statement.ts'
import { NODE_BYTES, type Tile } from './tile_tree.ts'

/** The block that is being made. Both times are Unix milliseconds. */
interface OpenBlock {
  readonly id: string
  readonly height: number
  readonly cutMs: number
  readonly previousMs: number
}

/**
 * Leaves of one statement and in memory at a time, about, for blocks of any size: one moment is never divided. Larger
 * pieces are not faster, and the hashes of one are read from the driver at once, while everybody else waits.
 */
const LEAVES_PER_PIECE = 4_096

/**
 * Gives every visible subject without a block whose id time is at or before the cut its place, in byte order of the
 * id. There is no lower limit, so a subject that commits late or has an older id time goes into the next block. Each
 * piece is one statement and so one snapshot: a moment is taken together with its items, and an item that is deleted
 * after that stays a leaf. The items are read and not locked, so changes of them never wait. The database works on the
 * next piece while the tree takes this one. Yields the next leaves of the block, in order, with 32 bytes a leaf. Indexes:
 * waiting_moments_moment, items_pkey, block_leaves_pkey, entropy_observations_waiting.
 */
export async function* placeLeaves(em: EntityManager, block: OpenBlock) {
  const bounds = boundsOf(block)
  const place = (first: number, after: string): Promise<RowFrom<typeof PLACE>> =>
    row(em, PLACE({ ...bounds, first, after }))
  let first = 0
  for (let next: ReturnType<typeof place> | undefined = place(0, ''); next !== undefined; ) {
    const piece: RowFrom<typeof PLACE> = await next
    const { items, observations, hashes } = piece
    first += items + observations
    next = piece.upto < bounds.last ? place(first, piece.upto) : undefined
    // Whoever takes this piece may fail before the next one is awaited.
    next?.catch(() => undefined)
    if ((hashes?.length ?? 0) !== (items + observations) * NODE_BYTES)
      throw new Error(`A leaf of block ${block.id} has no hash.`)
    if (hashes !== null)
      yield {
        items,
        observations,
        hashes,
        firstItemId: piece.first_item_id,
        lastItemId: piece.last_item_id,
      }
  }
}

/** The part of an item's id that is its millisecond, as in `waiting_moments`. */
const momentOf = (ulid: string): string => ulid.slice(0, 10)

const boundsOf = ({ id, height, cutMs, previousMs }: OpenBlock) => ({
  blockId: id,
  height,
  /** The moment of the cut. */
  last: momentOf(ulidFloor(cutMs)),
  /** An item from this id on is in no block. */
  unplacedFrom: ulidFloor(previousMs + 1),
  observationsBefore: uuid7Floor(cutMs + 1),
})

interface Place extends ReturnType<typeof boundsOf> {
  /** Leaf index of the first leaf of this piece. */
  readonly first: number
  /** Moments up to this one are done. */
  readonly after: string
}

/** After every id of a moment, and before the next moment: no id has a character above Z. */
const END = sql.lit('[')

/**
 * The scalar subqueries and the OFFSET keep the planner at probes of the primary keys, because it has no idea how few
 * items a piece has and would rather scan whole tables.
 */
const PLACE = statement(
  {
    upto: text,
    items: int4,
    observations: int4,
    first_item_id: nullable(text),
    last_item_id: nullable(text),
    hashes: nullable(bytes),
  },
  ({ blockId, height, first, after, last, unplacedFrom, observationsBefore }: Place) => sql`
  WITH upto AS MATERIALIZED (
    SELECT coalesce(
             (SELECT moment
                FROM (SELECT moment, sum(items) OVER (ORDER BY moment) AS items FROM waiting_moments
                       WHERE moment > ${after} AND moment <= ${last}) AS waiting
               WHERE items >= ${sql.lit(LEAVES_PER_PIECE)} ORDER BY moment LIMIT 1),
             ${last}) AS moment),
  taken AS (
    DELETE FROM waiting_moments WHERE moment > ${after} AND moment <= (SELECT moment FROM upto) RETURNING moment),
  observed AS MATERIALIZED (
    SELECT id, observation_hash FROM entropy_observations
     WHERE block_id IS NULL AND id < ${observationsBefore} AND (${after} = '' OR id > ${after} || ${END})
       AND ((SELECT moment FROM upto) = ${last} OR id < (SELECT moment FROM upto) || ${END})),
  leaf AS MATERIALIZED (
    SELECT id, hash, is_item, ${first}::int + (row_number() OVER (ORDER BY id))::int - 1 AS leaf_index
      FROM (SELECT i.id, i.item_hash AS hash, true AS is_item
              FROM (SELECT DISTINCT moment FROM taken) AS m
             CROSS JOIN LATERAL (
               SELECT id, item_hash FROM items WHERE id > m.moment AND id < m.moment || ${END} OFFSET 0) AS i
             WHERE i.id >= ${unplacedFrom}
                OR (SELECT l.height FROM block_leaves l WHERE l.subject_id = i.id) IS NULL
             UNION ALL
            SELECT id, observation_hash, false FROM observed) AS subject),
  placed AS (
    INSERT INTO block_leaves (height, leaf_index, subject_id)
    SELECT ${height}::int, leaf_index, id FROM leaf WHERE is_item),
  placed_observations AS (
    UPDATE entropy_observations AS o
       SET block_id = ${blockId}, state = 'committed', leaf_index = (SELECT leaf_index FROM leaf WHERE leaf.id = o.id)
     WHERE o.id = ANY (ARRAY (SELECT id FROM observed)))
  SELECT (SELECT moment FROM upto) AS upto, count(*) FILTER (WHERE is_item)::int AS items,
         count(*) FILTER (WHERE NOT is_item)::int AS observations,
         min(id) FILTER (WHERE is_item) AS first_item_id, max(id) FILTER (WHERE is_item) AS last_item_id,
         string_agg(hash, '' ORDER BY leaf_index) AS hashes
    FROM leaf`,
)

/** Inserts all tiles that were filled since the last call, in one INSERT. */
export async function storeTiles(em: EntityManager, blockId: string, tiles: readonly Tile[]): Promise<void> {
  if (tiles.length > 0)
    await change(em, STORE_TILES({ blockId, ...columnwise(tiles, 'level', 'tile', 'hashes') }))
}

const STORE_TILES = command(
  ({ blockId, level, tile, hashes }: Columnwise<Tile> & { blockId: string }) => sql`
  INSERT INTO block_tiles (block_id, level, tile, hashes)
  SELECT ${blockId}, level, tile, hashes
    FROM unnest(${level}::int[], ${tile}::int[], ${hashes}::bytea[]) AS t (level, tile, hashes)`,
)
