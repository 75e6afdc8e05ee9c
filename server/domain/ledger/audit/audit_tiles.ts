// Compares the stored tiles of one block with the tree over its leaves: every tile must be there with the same bytes,
// and no other tile.
import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Disagreement } from '../../../../shared/audit/disagreement.ts'
import { bytes, int2, int4, text } from '../../../store/columns.ts'
import { rows } from '../../../store/run.ts'
import { statement } from '../../../store/statement.ts'
import { type Tile, TileTree } from '../tile_tree.ts'
import { type BlockRow, orderedRows, type UpToBlock } from './block_rows.ts'
import type { AuditPace } from './pace.ts'

interface TileRow extends Tile {
  readonly block_id: string
}

/** Rows per page. A full tile has 8 KiB. */
const TILES_PER_PAGE = 256

/**
 * Every tile of every block up to and including the block `lastBlockId`. Tiles never change. Index: block_tiles_pkey.
 */
export const tilesUpTo = (em: EntityManager, lastBlockId: string): UpToBlock<TileRow> =>
  orderedRows((last) =>
    rows(
      em,
      TILES({ block: last?.block_id ?? '', level: last?.level ?? 0, tile: last?.tile ?? 0, lastBlockId }),
    ),
  )

interface After {
  readonly block: string
  readonly level: number
  readonly tile: number
  readonly lastBlockId: string
}

const TILES = statement(
  { block_id: text, level: int2, tile: int4, hashes: bytes },
  ({ block, level, tile, lastBlockId }: After) => sql`
  SELECT block_id, level, tile, hashes FROM block_tiles
   WHERE (block_id, level, tile) > (${block}, ${level}, ${tile}) AND block_id <= ${lastBlockId}
   ORDER BY block_id, level, tile LIMIT ${sql.lit(TILES_PER_PAGE)}`,
)

interface ExpectedTiles {
  /** The tree to which the block's leaves are added. */
  readonly tree: TileTree
  /**
   * Digests of the expected tiles that have not been found yet, by tile name. It takes 32 bytes for every 256 leaves.
   */
  readonly missing: Map<string, string>
}

export function expectTiles(): ExpectedTiles {
  const missing = new Map<string, string>()
  const tree = new TileTree((tile) => missing.set(nameOf(tile), digestOf(tile)))
  return { tree, missing }
}

/** Must be called after the tree is finished. */
export async function* auditTiles(
  block: BlockRow,
  tiles: UpToBlock<TileRow>,
  { missing, pace }: { missing: Map<string, string>; pace: AuditPace },
): AsyncGenerator<Disagreement> {
  for await (const tile of tiles(block.id)) {
    const subject = nameOf(tile)
    if (tile.block_id !== block.id) {
      yield {
        height: null,
        subject,
        field: 'block_id',
        expected: 'a block that exists',
        found: tile.block_id,
      }
      continue
    }
    const place = { height: block.height, subject }
    const expected = missing.get(subject)
    if (expected === undefined) yield { ...place, field: 'tile', expected: 'no such tile' }
    else if (expected !== digestOf(tile))
      yield { ...place, field: 'hashes', expected: 'the nodes over the leaves' }
    missing.delete(subject)
    await pace.checked('tiles')
  }
  for (const subject of missing.keys())
    yield { height: block.height, subject, field: 'tile', expected: 'a stored tile', found: 'nothing' }
}

const nameOf = ({ level, tile }: Tile): string => `tile ${level}/${tile}`

const digestOf = ({ hashes }: Tile): string => createHash('sha256').update(hashes).digest('base64')
