// Proofs that one tree is the beginning of another (RFC 9162 section 2.1.4), and the comparison of two checkpoints:
// does one continue the other, or has the log shown two histories?
import { bytesEqual } from '../proof/bytes.ts'
import { EMPTY_ROOT, nodeHash } from '../proof/merkle.ts'
import type { TreeHead } from './checkpoint.ts'
import { MAX_PROOF_HASHES } from './inclusion_proof.ts'
import { checkedSize, type LeafRange, readNodes, type TileReader } from './tile_reader.ts'
import { splitOf } from './tree_hash.ts'

/**
 * The proof between the trees of `oldSize` and `newSize` leaves: 32 bytes a hash. Empty when the sizes are equal, or
 * the old one is 0. Calls the reader at most once.
 * @throws RangeError when the new size is the smaller one
 */
export async function consistencyProof(
  read: TileReader,
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[]> {
  if (checkedSize(oldSize) > checkedSize(newSize))
    throw new RangeError(`a tree of ${oldSize} leaves is no beginning of one of ${newSize}`)
  return readNodes(read, newSize, proofRanges(oldSize, newSize))
}

interface Consistency {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly newSize: number
  readonly newRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Whether the old tree is the beginning of the new one. False for anything that is no proof of it. */
export function verifyConsistency({ oldSize, oldRoot, newSize, newRoot, proof }: Consistency): boolean {
  if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(newSize)) return false
  if (oldSize < 0 || oldSize > newSize || proof.length > MAX_PROOF_HASHES) return false
  if (oldSize === newSize) return proof.length === 0 && bytesEqual(oldRoot, newRoot)
  if (oldSize === 0) return proof.length === 0 && bytesEqual(oldRoot, EMPTY_ROOT)
  const ranges = proofRanges(oldSize, newSize)
  if (ranges.length !== proof.length) return false
  // The root of an old tree that is a node of the new one is known, and is no part of the proof.
  const isPart = ranges[0]?.end === oldSize
  const lowest = isPart ? proof[0] : oldRoot
  if (lowest === undefined) return false
  let ofOld = lowest
  let ofNew = lowest
  for (const [at, { start }] of ranges.entries()) {
    const hash = proof[at]
    if (hash === undefined) return false
    if (isPart && at === 0) continue
    if (start < oldSize) {
      ofOld = nodeHash(hash, ofOld)
      ofNew = nodeHash(hash, ofNew)
    } else ofNew = nodeHash(ofNew, hash)
  }
  return bytesEqual(ofOld, oldRoot) && bytesEqual(ofNew, newRoot)
}

/** SUBPROOF of the RFC as ranges of leaves, the lowest node first. */
function proofRanges(oldSize: number, newSize: number): LeafRange[] {
  if (oldSize === 0 || oldSize === newSize) return []
  const fromRoot: LeafRange[] = []
  let start = 0
  let end = newSize
  // The node with leaf oldSize - 1 and one that is not in the old tree.
  while (end !== oldSize) {
    const middle = start + splitOf(end - start)
    if (oldSize <= middle) {
      fromRoot.push({ start: middle, end })
      end = middle
    } else {
      fromRoot.push({ start, end: middle })
      start = middle
    }
  }
  if (start > 0) fromRoot.push({ start, end })
  return fromRoot.reverse()
}

/**
 * `same`, `grown`, `older`: one history, and `older` is a checkpoint from before the one that was seen. `split`: two
 * histories. `open`: the log gave no proof, so nothing is known.
 */
export type Comparison = 'same' | 'grown' | 'older' | 'split' | 'open'

/** The hashes between two sizes, the smaller one first. Undefined when the log does not answer it. */
type AskConsistency = (oldSize: number, newSize: number) => Promise<Uint8Array[] | undefined>

/** Both must bear the signature of the log's key: otherwise they say nothing about the log. */
export async function compareCheckpoints(
  seen: TreeHead,
  now: TreeHead,
  ask: AskConsistency,
): Promise<Comparison> {
  if (seen.size === now.size) return bytesEqual(seen.root, now.root) ? 'same' : 'split'
  const [older, newer] = seen.size < now.size ? [seen, now] : [now, seen]
  const proof = await ask(older.size, newer.size)
  if (proof === undefined) return 'open'
  const holds = verifyConsistency({
    oldSize: older.size,
    oldRoot: older.root,
    newSize: newer.size,
    newRoot: newer.root,
    proof,
  })
  if (!holds) return 'split'
  return older === seen ? 'grown' : 'older'
}
