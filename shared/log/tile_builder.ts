// Makes the tiles of a log from the hashes of its leaves, in their order. Memory grows with the height of the tree
// only.
import { TILE_WIDTH, type TileCoordinate } from './tile_reader.ts'
import { HASH_BYTES, hashesOf, rootOf, rootOfTile } from './tree_hash.ts'

export interface MadeTile extends TileCoordinate {
  /** 32 bytes a hash. */
  readonly bytes: Uint8Array
}

interface Edge {
  index: number
  width: number
  bytes: Uint8Array
}

export class TileBuilder {
  /** The newest tile of each level, which is never full. */
  readonly #edges: Edge[] = []
  #size = 0

  /** Leaves so far. */
  get size(): number {
    return this.#size
  }

  /** Adds the hash of the next leaf. Returns the tiles that are full with it, the lowest first. */
  add(leaf: Uint8Array): readonly MadeTile[] {
    this.#size += 1
    const full: MadeTile[] = []
    let hash = leaf
    for (let level = 0; ; level += 1) {
      const edge = this.#edge(level)
      edge.bytes.set(hash, edge.width * HASH_BYTES)
      edge.width += 1
      if (edge.width < TILE_WIDTH) return full
      full.push({ level, ...edge })
      hash = rootOfTile(edge.bytes)
      this.#edges[level] = newEdge(edge.index + 1)
    }
  }

  /** The partial tiles of the tree so far, the lowest first. */
  partial(): readonly MadeTile[] {
    return this.#edges.flatMap(({ index, width, bytes }, level) =>
      width === 0 ? [] : [{ level, index, width, bytes: bytes.slice(0, width * HASH_BYTES) }],
    )
  }

  /** The root of the tree so far, 32 bytes. */
  root(): Uint8Array {
    let below: readonly Uint8Array[] = []
    for (const { bytes } of this.partial()) below = [rootOf([...hashesOf(bytes), ...below])]
    return rootOf(below)
  }

  #edge(level: number): Edge {
    const edge = this.#edges[level] ?? newEdge(0)
    this.#edges[level] = edge
    return edge
  }
}

const newEdge = (index: number): Edge => ({ index, width: 0, bytes: new Uint8Array(TILE_WIDTH * HASH_BYTES) })
