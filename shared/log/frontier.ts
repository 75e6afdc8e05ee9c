// The right edge of a tree: the roots of its perfect subtrees, from which its root and that of any longer tree follow.
import { nodeHash } from '../proof/merkle.ts'
import { readNodes, type TileReader } from './tile_reader.ts'
import { joinRight } from './tree_hash.ts'

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
  const ranges = sizes.map(perfectRanges)
  const nodes = await readNodes(read, sizes[0], ranges.flat())
  let at = 0
  return sizes.map((size, which) => {
    const count = ranges[which]?.length ?? 0
    at += count
    return { size, roots: nodes.slice(at - count, at) }
  })
}

/** The leaves of each perfect subtree, the largest first. */
function perfectRanges(size: number): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  for (let start = 0; start < size; ) {
    let width = 1
    while (start + width * 2 <= size) width *= 2
    ranges.push({ start, end: start + width })
    start += width
  }
  return ranges
}
