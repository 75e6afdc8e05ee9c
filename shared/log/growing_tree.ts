// What grows with a tree, leaf by leaf: its tiles, and its frontier, from which its root and that of any longer tree
// follow. Memory grows with the height of the tree only.
import { nodeHash, rootOf } from '../proof/merkle.ts'
import {
  HASH_BYTES,
  hashesOf,
  joinRight,
  perfectParts,
  readNodes,
  rootOfTile,
  TILE_WIDTH,
  type TileCoordinate,
  type TileReader,
} from './tiles.ts'

export interface MadeTile extends TileCoordinate {
  /** 32 bytes a hash. */
  readonly bytes: Uint8Array
}

type Edge = ReturnType<typeof newEdge>

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

const newEdge = (index: number) => ({ index, width: 0, bytes: new Uint8Array(TILE_WIDTH * HASH_BYTES) })

/** The right edge of a tree: the roots of its perfect subtrees. */
export interface Frontier {
  /** The number of leaves. */
  readonly size: number
  /** One root for each bit of the size that is 1, the largest subtree first. */
  readonly roots: readonly Uint8Array[]
}

export const EMPTY_FRONTIER: Frontier = { size: 0, roots: [] }

/** The frontier with one more leaf. `leaf` is its hash. */
export function grow({ size, roots }: Frontier, leaf: Uint8Array): Frontier {
  const kept = [...roots]
  let added = leaf
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = kept.pop()
    if (left === undefined) throw new RangeError(`a frontier of ${size} leaves lacks a root`)
    added = nodeHash(left, added)
  }
  return { size: size + 1, roots: [...kept, added] }
}

export const frontierRoot = ({ roots }: Frontier): Uint8Array => joinRight(roots)

/** The frontiers of several sizes, none of them above the first one, with one call of the reader. */
export async function readFrontiers(
  read: TileReader,
  sizes: readonly [number, ...number[]],
): Promise<Frontier[]> {
  const ranges = sizes.map((size) => perfectParts({ start: 0, end: size }))
  const nodes = await readNodes(read, sizes[0], ranges.flat())
  let at = 0
  return sizes.map((size, which) => {
    const count = ranges[which]?.length ?? 0
    at += count
    return { size, roots: nodes.slice(at - count, at) }
  })
}
