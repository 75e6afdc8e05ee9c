// Hashes of the public log's tree over hashes of leaves (RFC 9162 section 2.1.1). The tree has the shape of a block's
// tree, and the same domain bytes.
import { EMPTY_ROOT, nodeHash } from '../proof/merkle.ts'

export const HASH_BYTES = 32

/** The root over hashes of leaves, or over roots of perfect subtrees of one height. 32 bytes. */
export const rootOf = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0 ? EMPTY_ROOT : subtreeRoot(hashes, 0, hashes.length)

/** As `rootOf`, over hashes that lie one after the other, as in a tile. */
export const rootOfTile = (tile: Uint8Array): Uint8Array => rootOf(hashesOf(tile))

/** Views of the hashes that lie one after the other. @throws RangeError for a part of a hash */
export function hashesOf(tile: Uint8Array): Uint8Array[] {
  if (tile.length % HASH_BYTES !== 0) throw new RangeError('not whole hashes')
  return Array.from({ length: tile.length / HASH_BYTES }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
}

/** The largest power of two below `count`, which is from 2 to the largest safe integer. */
export function splitOf(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** Joins the roots of neighbours, the leftmost first, from the right: how the right edge of a tree is hashed. */
export function joinRight(roots: readonly Uint8Array[]): Uint8Array {
  const last = roots.at(-1)
  if (last === undefined) return EMPTY_ROOT
  return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
}

/** Recurses log2 of their number. */
function subtreeRoot(hashes: readonly Uint8Array[], start: number, end: number): Uint8Array {
  const only = hashes[start]
  if (only === undefined) throw new RangeError(`no hash ${start}`)
  if (end - start === 1) return only
  const middle = start + splitOf(end - start)
  return nodeHash(subtreeRoot(hashes, start, middle), subtreeRoot(hashes, middle, end))
}
