// Builds a block's Merkle tree (RFC 9162 shape) from a stream of leaves, keeping one tile of 256 hashes per level.
import { EMPTY_ROOT, leafHash, nodeHash } from '../../../shared/proof/merkle.ts'

export const HASH_BYTES = 32
export const TILE_WIDTH = 256
/** A full tile's root stands one tile level up, eight tree levels higher. */
export const TILE_HEIGHT = 8

/**
 * Node hashes of tree height `8 * level`, from node `256 * tile` on. All but the last tile of a level are full; the last
 * one carries a hash more when leaves stand to the right of its nodes: the root over these. So the path of a leaf never
 * needs more than one tile of a level.
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
 * Feed it the subjects' hashes in id order with `add`; tiles leave through `emit` as they fill up. `finish` emits the
 * tiles at the right edge and answers the root. Memory: one tile per level, whatever the number of leaves.
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
          hashes.subarray(0, count * HASH_BYTES),
          ...(root === undefined ? [] : [root]),
        ]),
      })
      root = foldRightEdge(hashes, count, root)
    }
    return root ?? EMPTY_ROOT
  }

  #push(level: number, hash: Uint8Array): void {
    this.#open[level] ??= { hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES), count: 0, tile: 0 }
    const open = this.#open[level]
    open.hashes.set(hash, open.count * HASH_BYTES)
    open.count += 1
    if (open.count < TILE_WIDTH) return
    this.#emit({ level, tile: open.tile, hashes: Buffer.from(open.hashes) })
    this.#push(level + 1, perfectRoot(open.hashes, 0, TILE_WIDTH))
    open.count = 0
    open.tile += 1
  }
}

/** The root over `width` (a power of two) hashes from `from` on. */
export function perfectRoot(hashes: Buffer, from: number, width: number): Uint8Array {
  if (width === 1) return hashes.subarray(from * HASH_BYTES, (from + 1) * HASH_BYTES)
  return nodeHash(perfectRoot(hashes, from, width / 2), perfectRoot(hashes, from + width / 2, width / 2))
}

/** Joins `count` hashes, split into perfect subtrees with the largest to the left, with what stands right of them. */
export function foldRightEdge(
  hashes: Buffer,
  count: number,
  right: Uint8Array | undefined,
): Uint8Array | undefined {
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
