// Compares the stored tiles of one block with the tree over its leaves: every tile must be there with the same bytes,
// and no other tile.
import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Disagreement } from '../../../../shared/audit/disagreement.ts'
import { bytes, int2, int4, text } from '../../../store/columns.ts'
import { rows } from '../../../store/run.ts'
import { type RowFrom, statement } from '../../../store/statement.ts'
import { type Tile, TileTree } from '../tile_tree.ts'
import type { BlockRow } from './block_rows.ts'
import type { AuditPace } from './pace.ts'

type TileRow = RowFrom<typeof TILES>

/**
 * The next tiles up to and including those of this block. Tiles of earlier blocks that have not been read yet come
 * first.
 */
type TilesUpToBlock = (blockId: string) => AsyncGenerator<TileRow>

/** Rows per page. A full tile has 8 KiB. */
const TILES_PER_PAGE = 256

/**
 * Every tile of every block up to and including the block `lastBlockId`. Tiles never change. Index: block_tiles_pkey.
 */
export function tilesUpTo(em: EntityManager, lastBlockId: string): TilesUpToBlock {
  let page: readonly TileRow[] = []
  let at = 0
  let last: TileRow | undefined
  let ended = false
  return async function* upToBlock(blockId) {
    while (!ended) {
      const tile = page[at]
      if (tile !== undefined) {
        if (tile.block_id > blockId) return
        at += 1
        yield tile
      } else {
        const { block_id: block = '', level = 0, tile: number = 0 } = last ?? {}
        page = await rows(em, TILES({ block, level, tile: number, lastBlockId }))
        at = 0
        last = page.at(-1)
        ended = page.length === 0
      }
    }
  }
}

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
  tiles: TilesUpToBlock,
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
