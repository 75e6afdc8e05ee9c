// Builds a block's Merkle tree (RFC 9162 shape) from a stream of leaves, with one tile of 256 hashes per level in memory,
// and reads the path from a leaf to the root from the stored tiles, with one row per eight levels of the tree.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { EMPTY_ROOT, leafHash, nodeHash, type PathStep } from '../../../shared/proof/merkle.ts'
import { bytes, int2 } from '../../store/columns.ts'
import { rows, statement } from '../../store/statement.ts'

export const NODE_BYTES = 32
const BLOCK_TILE_WIDTH = 256
/** The root of a full tile is a node one tile level higher, which is eight tree levels higher. */
const TILE_HEIGHT = 8

/**
 * Node hashes of tree height `8 * level`, starting at node `256 * tile`. Every tile of a level is full except the
 * last. When leaves remain to the right of its nodes, the last tile has one more hash, which is the root over those
 * leaves. So the path of a leaf never needs more than one tile per level.
 */
export interface Tile {
  readonly level: number
  readonly tile: number
  readonly hashes: Buffer
}

interface OpenTile {
  readonly hashes: Buffer
  count: number
  tile: number
}

/**
 * Call `add` with the subjects' hashes in id order. Each tile is passed to `emit` when it is full. `finish` emits the
 * tiles at the right edge and returns the root. Memory is one tile per level for any number of leaves.
 */
export class TileTree {
  readonly #emit: (tile: Tile) => void
  readonly #open: OpenTile[] = []
  #leaves = 0

  constructor(emit: (tile: Tile) => void) {
    this.#emit = emit
  }

  get leaves(): number {
    return this.#leaves
  }

  add(subjectHash: Uint8Array): void {
    this.#leaves += 1
    this.#push(0, leafHash(subjectHash))
  }

  finish(): Uint8Array {
    let root: Uint8Array | undefined
    for (const [level, { hashes, count, tile }] of this.#open.entries()) {
      if (count === 0) continue
      this.#emit({
        level,
        tile,
        hashes: Buffer.concat([
          hashes.subarray(0, count * NODE_BYTES),
          ...(root === undefined ? [] : [root]),
        ]),
      })
      root = foldRightEdge(hashes, count, root)
    }
    return root ?? EMPTY_ROOT
  }

  #push(level: number, hash: Uint8Array): void {
    this.#open[level] ??= { hashes: Buffer.alloc(BLOCK_TILE_WIDTH * NODE_BYTES), count: 0, tile: 0 }
    const open = this.#open[level]
    open.hashes.set(hash, open.count * NODE_BYTES)
    open.count += 1
    if (open.count < BLOCK_TILE_WIDTH) return
    this.#emit({ level, tile: open.tile, hashes: Buffer.from(open.hashes) })
    this.#push(level + 1, perfectRoot(open.hashes, 0, BLOCK_TILE_WIDTH))
    open.count = 0
    open.tile += 1
  }
}

/** The root over `width` hashes from `from` on. `width` must be a power of two. */
export function perfectRoot(hashes: Buffer, from: number, width: number): Uint8Array {
  if (width === 1) return hashes.subarray(from * NODE_BYTES, (from + 1) * NODE_BYTES)
  return nodeHash(perfectRoot(hashes, from, width / 2), perfectRoot(hashes, from + width / 2, width / 2))
}

/**
 * Joins `count` hashes with the root `right` of the leaves after them. The hashes are split into perfect subtrees,
 * the largest on the left.
 */
function foldRightEdge(hashes: Buffer, count: number, right: Uint8Array | undefined): Uint8Array | undefined {
  let root = right
  let end = count
  for (let width = 1; width <= count; width *= 2) {
    if ((count & width) === 0) continue
    end -= width
    const subtree = perfectRoot(hashes, end, width)
    root = root === undefined ? subtree : nodeHash(subtree, root)
  }
  return root
}

/**
 * The siblings on the path of a leaf of a block with so many leaves, nearest first. Undefined when the leaf does not exist, or when a tile on the
 * path is missing or has the wrong size. Makes one statement that reads at most one tile per level, which is three
 * rows for a million leaves. Index: block_tiles_pkey.
 */
export async function inclusionPath(
  em: EntityManager,
  { blockId, leafIndex, leafCount }: { blockId: string; leafIndex: number; leafCount: number },
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
  (wanted: { blockId: string; levels: readonly number[]; tiles: readonly number[] }) => sql`
  SELECT t.level, t.hashes
    FROM unnest(${wanted.levels}::smallint[], ${wanted.tiles}::int[]) AS wanted (level, tile)
    JOIN block_tiles t ON t.block_id = ${wanted.blockId} AND t.level = wanted.level AND t.tile = wanted.tile`,
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
