// Builds a block's Merkle tree (RFC 9162 shape) from a stream of leaves, with one tile of 256 hashes per level in
// memory.
import { hash } from 'node:crypto'
import { DOMAIN_BYTES } from '../../../shared/proof/domain_hash.ts'
import { EMPTY_ROOT } from '../../../shared/proof/merkle.ts'

export const NODE_BYTES = 32
export const BLOCK_TILE_WIDTH = 256
/** The root of a full tile is a node one tile level higher, which is eight tree levels higher. */
export const TILE_HEIGHT = 8

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

/** The same as in shared/proof/merkle.ts, several times faster, because a large block has many leaves. */
function leafHash(subjectHash: Uint8Array): Uint8Array {
  LEAF.set(subjectHash, 1)
  return hash('sha256', LEAF, 'buffer')
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  NODE.set(left, 1)
  NODE.set(right, 1 + NODE_BYTES)
  return hash('sha256', NODE, 'buffer')
}

/** Filled again for each hash. Nothing else runs in between. */
const LEAF = Buffer.alloc(1 + NODE_BYTES, DOMAIN_BYTES.leaf)
const NODE = Buffer.alloc(1 + 2 * NODE_BYTES, DOMAIN_BYTES.node)
