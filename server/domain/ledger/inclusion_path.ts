// Reads the path from a leaf to the root of its block from the stored tiles, with one row per eight levels of the
// tree.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { PathStep } from '../../../shared/proof/merkle.ts'
import { bytes, int2 } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { BLOCK_TILE_WIDTH, foldRightEdge, NODE_BYTES, perfectRoot, TILE_HEIGHT } from './tile_tree.ts'

interface LeafPlace {
  readonly blockId: string
  readonly leafIndex: number
  /** Number of leaves of the whole block. */
  readonly leafCount: number
}

/**
 * The siblings on the path of a leaf, nearest first. Undefined when the leaf does not exist, or when a tile on the
 * path is missing or has the wrong size. Makes one statement that reads at most one tile per level, which is three
 * rows for a million leaves. Index: block_tiles_pkey.
 */
export async function inclusionPath(
  em: EntityManager,
  { blockId, leafIndex, leafCount }: LeafPlace,
): Promise<PathStep[] | undefined> {
  if (leafIndex >= leafCount) return undefined
  const wanted = tilesOnPath(leafIndex, leafCount)
  if (wanted.length === 0) return []
  const places = { levels: wanted.map(({ level }) => level), tiles: wanted.map(({ tile }) => tile) }
  const found = await rows(em, TILES({ blockId, ...places }))
  const tiles = found.toSorted((a, b) => a.level - b.level).map(({ hashes }) => hashes)
  const areWhole = wanted.every((place, at) => tiles[at]?.length === tileBytes(place, leafCount))
  return areWhole ? pathFromTiles(tiles, leafIndex, leafCount) : undefined
}

const TILES = statement(
  { level: int2, hashes: bytes },
  ({
    blockId,
    levels,
    tiles,
  }: {
    blockId: string
    levels: readonly number[]
    tiles: readonly number[]
  }) => sql`
  SELECT t.level, t.hashes
    FROM unnest(${levels}::smallint[], ${tiles}::int[]) AS wanted (level, tile)
    JOIN block_tiles t ON t.block_id = ${blockId} AND t.level = wanted.level AND t.tile = wanted.tile`,
)

/**
 * The tile above the leaf on each level, up to the root.
 * @throws RangeError when there is no such leaf
 */
export function tilesOnPath(leafIndex: number, leafCount: number): { level: number; tile: number }[] {
  if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= leafCount)
    throw new RangeError(`no leaf ${leafIndex}`)
  const levels = Math.ceil(Math.ceil(Math.log2(leafCount)) / TILE_HEIGHT)
  return Array.from({ length: levels }, (_, level) => ({
    level,
    tile: Math.floor(leafIndex / BLOCK_TILE_WIDTH ** (level + 1)),
  }))
}

/**
 * The size of this tile's hashes in bytes. A tile at the right edge has fewer nodes, and one hash more when there are
 * leaves to the right of its nodes.
 */
function tileBytes({ level, tile }: { level: number; tile: number }, leafCount: number): number {
  const leavesPerNode = BLOCK_TILE_WIDTH ** level
  const nodes = Math.floor(leafCount / leavesPerNode) - tile * BLOCK_TILE_WIDTH
  if (nodes >= BLOCK_TILE_WIDTH) return BLOCK_TILE_WIDTH * NODE_BYTES
  return (nodes + (leafCount % leavesPerNode === 0 ? 0 : 1)) * NODE_BYTES
}

/** @param tiles the hashes of the tiles that `tilesOnPath` returns, in the same order */
export function pathFromTiles(tiles: readonly Buffer[], leafIndex: number, leafCount: number): PathStep[] {
  const fromRoot: PathStep[] = []
  let start = 0
  let end = leafCount
  while (end - start > 1) {
    const height = 31 - Math.clz32(end - start - 1)
    const middle = start + 2 ** height
    if (leafIndex < middle) {
      fromRoot.push({ side: 'right', hash: rightRoot(tiles, middle, end, height) })
      end = middle
    } else {
      fromRoot.push({ side: 'left', hash: leftRoot(tiles, start, height) })
      start = middle
    }
  }
  return fromRoot.reverse()
}

/**
 * The root over the `2 ** height` leaves from `start` on. On every level, a sibling and the leaf are below the same
 * tile.
 */
function leftRoot(tiles: readonly Buffer[], start: number, height: number): Uint8Array {
  const { hashes, nodeAt } = tileAt(tiles, height)
  return perfectRoot(hashes, nodeAt(start) % BLOCK_TILE_WIDTH, 2 ** (height % TILE_HEIGHT))
}

/**
 * The root over the leaves from `middle` to `end`. There are as many as on the left, or fewer at the right edge of
 * the block.
 */
function rightRoot(tiles: readonly Buffer[], middle: number, end: number, height: number): Uint8Array {
  if (end - middle === 2 ** height) return leftRoot(tiles, middle, height)
  const { hashes, nodeAt, isWhole } = tileAt(tiles, height)
  const first = nodeAt(middle) % BLOCK_TILE_WIDTH
  const count = nodeAt(end) - nodeAt(middle)
  const after = (first + count) * NODE_BYTES
  const rest = isWhole(end) ? undefined : hashes.subarray(after, after + NODE_BYTES)
  const root = foldRightEdge(hashes.subarray(first * NODE_BYTES), count, rest)
  if (root === undefined) throw new RangeError(`no leaves from ${middle} to ${end}`)
  return root
}

/**
 * The tile that contains the nodes of this height, and a function that returns which node of the tile's level begins
 * at a leaf.
 */
function tileAt(tiles: readonly Buffer[], height: number) {
  const level = Math.floor(height / TILE_HEIGHT)
  const leavesPerNode = BLOCK_TILE_WIDTH ** level
  const hashes = tiles[level]
  if (hashes === undefined) throw new RangeError(`no tile of level ${level}`)
  return {
    hashes,
    nodeAt: (leaf: number): number => Math.floor(leaf / leavesPerNode),
    isWhole: (leaf: number): boolean => leaf % leavesPerNode === 0,
  }
}
