// Which tiles of the public log hold the hash of a part of the tree, and how it is read from them (C2SP tlog-tiles).
import { HASH_BYTES, hashesOf, joinRight, rootOf } from './tree_hash.ts'

/** Hashes in a full tile. */
export const TILE_WIDTH = 256

/** Tile `index` of a level, with as many of its hashes as the tree has, or as are asked for. */
export interface TileCoordinate {
  /** From 0. A hash of this level is the root over 256 ** level leaves. */
  readonly level: number
  readonly index: number
  /** Hashes, from 1 to 256. */
  readonly width: number
}

/**
 * Reads all tiles of a list at once: 32 bytes a hash, at least `width` hashes each, in the order of the list. A longer
 * one begins with those asked for. Throws where a tile is not there.
 */
export type TileReader = (tiles: readonly TileCoordinate[]) => Promise<readonly Uint8Array[]>

/** The leaves from `start` up to, not including, `end`: a node of the tree of some size. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** The newest tile of a level, or any other, as a tree of `size` has it. Undefined when it has no such tile. */
export function tileAt(size: number, level: number, index: number): TileCoordinate | undefined {
  const hashes = Math.floor(size / TILE_WIDTH ** level)
  const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH)
  return width > 0 ? { level, index, width } : undefined
}

/**
 * The hashes of nodes of a tree of `size` leaves, each 32 bytes, with one call of the reader.
 * @throws RangeError when the reader yields too little, or the ranges are no nodes of this tree
 */
export async function readNodes(
  read: TileReader,
  size: number,
  ranges: readonly LeafRange[],
): Promise<Uint8Array[]> {
  const parts = ranges.map(perfectParts)
  const tiles = tilesOf(size, parts.flat())
  const found = tiles.size === 0 ? [] : await read([...tiles.values()])
  const bytes = new Map([...tiles.keys()].map((key, at) => [key, found[at]]))
  return parts.map((perfect) =>
    joinRight(
      perfect.map((part) => {
        const { level, index, from, count } = placeOf(part)
        const tile = bytes.get(keyOf(level, index))
        const end = (from + count) * HASH_BYTES
        if (tile === undefined || tile.length < end)
          throw new RangeError(`tile ${level}/${index} has fewer than ${from + count} hashes`)
        return rootOf(hashesOf(tile.subarray(from * HASH_BYTES, end)))
      }),
    ),
  )
}

/** The root of the tree of `size` leaves, from the tiles at its right edge. */
export async function readRoot(read: TileReader, size: number): Promise<Uint8Array> {
  const [root] = await readNodes(read, checkedSize(size), [{ start: 0, end: size }])
  return root ?? rootOf([])
}

/** @throws RangeError unless it is a number of leaves */
export function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is no size of a tree`)
  return size
}

/** A perfect subtree: `end - start` is a power of two that divides `start`. */
type Perfect = LeafRange

/** The perfect subtrees of a node, the largest first. */
function perfectParts({ start, end }: LeafRange): Perfect[] {
  const parts: Perfect[] = []
  for (let from = start; from < end; ) {
    let width = 1
    while (from + width * 2 <= end) width *= 2
    if (from % width !== 0) throw new RangeError(`leaves ${start} to ${end} are no node`)
    parts.push({ start: from, end: from + width })
    from += width
  }
  return parts
}

/** Where the hashes lie whose root is a perfect subtree: a power of two of them, within one tile. */
function placeOf({ start, end }: Perfect): { level: number; index: number; from: number; count: number } {
  let level = 0
  let leaves = 1
  while (leaves * TILE_WIDTH <= end - start) {
    level += 1
    leaves *= TILE_WIDTH
  }
  const first = start / leaves
  const index = Math.floor(first / TILE_WIDTH)
  return { level, index, from: first - index * TILE_WIDTH, count: (end - start) / leaves }
}

/** Each tile once. */
function tilesOf(size: number, parts: readonly Perfect[]): Map<string, TileCoordinate> {
  const tiles = new Map<string, TileCoordinate>()
  for (const part of parts) {
    const { level, index } = placeOf(part)
    const tile = tileAt(size, level, index)
    if (tile === undefined) throw new RangeError(`a tree of ${size} leaves has no tile ${level}/${index}`)
    tiles.set(keyOf(level, index), tile)
  }
  return tiles
}

const keyOf = (level: number, index: number): string => `${level}/${index}`
