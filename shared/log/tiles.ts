// Tiles of the public log (C2SP tlog-tiles): how the tree over hashes of leaves is hashed (RFC 9162 section 2.1.1; it has
// the shape of a block's tree, and the same domain bytes), which tiles hold the hash of a part of it, and their paths.
import { EMPTY_ROOT, type LeafRange, nodeHash, rootOf } from '../proof/merkle.ts'

export const HASH_BYTES = 32

/** As `rootOf`, over hashes that lie one after the other, as in a tile. */
export const rootOfTile = (tile: Uint8Array): Uint8Array => rootOf(hashesOf(tile))

/** Views of the hashes that lie one after the other. @throws RangeError for a part of a hash */
export function hashesOf(tile: Uint8Array): Uint8Array[] {
  if (tile.length % HASH_BYTES !== 0) throw new RangeError('not whole hashes')
  return Array.from({ length: tile.length / HASH_BYTES }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
}

/** Joins the roots of neighbours, the leftmost first, from the right: how the right edge of a tree is hashed. */
export function joinRight(roots: readonly Uint8Array[]): Uint8Array {
  const last = roots.at(-1)
  if (last === undefined) return EMPTY_ROOT
  return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
}

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

/** The perfect subtrees of a node, the largest first: `end - start` of each is a power of two that divides its `start`. */
export function perfectParts({ start, end }: LeafRange): LeafRange[] {
  const parts: LeafRange[] = []
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
function placeOf({ start, end }: LeafRange): { level: number; index: number; from: number; count: number } {
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
function tilesOf(size: number, parts: readonly LeafRange[]): Map<string, TileCoordinate> {
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

/** A tile of hashes, or the bundle of the entries below a tile of level 0. A width of 256 is the full one. */
export type TilePlace = Omit<TileCoordinate, 'level'> & { readonly level: number | 'entries' }

/** `tile/0/x001/x234/067` for the full tile 1234067 of level 0, and `.p/<width>` behind it for a partial one. */
export function tilePath({ level, index, width }: TilePlace): string {
  const groups = [String(index % 1_000).padStart(3, '0')]
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`)
  return `tile/${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** Undefined for every path that `tilePath` does not write. */
export function readTilePath(path: string): TilePlace | undefined {
  const match = PATH.exec(path)
  if (match === null) return undefined
  const [, level = '', groups = '', width] = match
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  if (!Number.isSafeInteger(index)) return undefined
  const read = {
    level: level === 'entries' ? level : Number(level),
    index,
    width: width === undefined ? TILE_WIDTH : Number(width),
  } as const
  // One tile has one path: this refuses leading groups of zeros.
  return read.width <= TILE_WIDTH && tilePath(read) === path ? read : undefined
}

/** Levels are 0 to 63. Six groups of digits hold every safe integer. */
const PATH = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** How many full tiles each level has, from level 0 up to the last level that has one. */
export function fullTiles(size: number): number[] {
  const counts: number[] = []
  for (let hashes = Math.floor(size / TILE_WIDTH); hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH))
    counts.push(hashes)
  return counts
}

/** The partial tiles, the lowest first, and the partial bundle of entries. */
export function partialTiles(size: number): TilePlace[] {
  const places: TilePlace[] = []
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const place = { index: Math.floor(hashes / TILE_WIDTH), width: hashes % TILE_WIDTH }
    if (place.width === 0) continue
    places.push({ level, ...place })
    if (level === 0) places.push({ level: 'entries', ...place })
  }
  return places
}
