// Proofs that an entry is in the tree of a checkpoint (RFC 9162 section 2.1.3).
import { bytesEqual } from '../proof/bytes.ts'
import { nodeHash } from '../proof/merkle.ts'
import { checkedSize, type LeafRange, readNodes, type TileReader } from './tile_reader.ts'
import { splitOf } from './tree_hash.ts'

/** A path in a tree of any size that this program can count. */
export const MAX_PROOF_HASHES = 64

/**
 * The siblings from leaf `index` to the root of the tree of `size` leaves, the nearest first, 32 bytes each. Calls the
 * reader once.
 * @throws RangeError when that tree has no such leaf
 */
export async function inclusionProof(read: TileReader, index: number, size: number): Promise<Uint8Array[]> {
  return readNodes(read, size, siblingsOf(checkedIndex(index, checkedSize(size)), size))
}

interface Inclusion {
  readonly index: number
  readonly size: number
  /** 32 bytes: `leafHash(entry)`. */
  readonly leaf: Uint8Array
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Whether leaf `index` of the tree with this size and root is `leaf`. False for anything that is no proof. */
export function verifyInclusion({ index, size, leaf, proof, root }: Inclusion): boolean {
  if (!isIndex(index, size) || proof.length > MAX_PROOF_HASHES) return false
  const sides = siblingsOf(index, size).map(({ start }) => start > index)
  if (sides.length !== proof.length) return false
  const hash = proof.reduce(
    (below, sibling, at) => (sides[at] === true ? nodeHash(below, sibling) : nodeHash(sibling, below)),
    leaf,
  )
  return bytesEqual(hash, root)
}

/** The ranges of the siblings, the nearest first. */
function siblingsOf(index: number, size: number): LeafRange[] {
  const fromRoot: LeafRange[] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      fromRoot.push({ start: middle, end })
      end = middle
    } else {
      fromRoot.push({ start, end: middle })
      start = middle
    }
  }
  return fromRoot.reverse()
}

const isIndex = (index: number, size: number): boolean =>
  Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size

function checkedIndex(index: number, size: number): number {
  if (!isIndex(index, size)) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  return index
}
