// Proofs that an entry is in the tree of a checkpoint (RFC 9162 section 2.1.3), that one tree is the beginning of another
// (section 2.1.4), with the comparison of two checkpoints, and the text of a proof (C2SP tlog-proof).
import { bytesEqual, fromBase64, toBase64 } from '../proof/bytes.ts'
import {
  descent,
  EMPTY_ROOT,
  type LeafRange,
  nodeHash,
  type PathStep,
  rootAbove,
  siblingsOf,
} from '../proof/merkle.ts'
import type { TreeHead } from './checkpoint.ts'
import { NOTE_CEILINGS, readDecimal, readHashLines, writeHashLines } from './signed_note.ts'
import { checkedSize, readNodes, type TileReader } from './tiles.ts'

/**
 * The siblings from leaf `index` to the root of the tree of `size` leaves, the nearest first, 32 bytes each. Calls the
 * reader once.
 * @throws RangeError when that tree has no such leaf
 */
export async function inclusionProof(read: TileReader, index: number, size: number): Promise<Uint8Array[]> {
  return readNodes(read, size, siblingsOf(checkedIndex(index, checkedSize(size)), size))
}

/** The place of a leaf in a tree. */
interface LeafPlace {
  readonly index: number
  readonly size: number
  /** 32 bytes: `leafHash(entry)`. */
  readonly leaf: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** The root to which the path leads. Undefined for anything that is no path of leaf `index` in a tree of that size. */
export function inclusionRoot({ leaf, ...place }: LeafPlace): Uint8Array | undefined {
  const steps = inclusionSteps(place)
  return steps && rootAbove(leaf, steps)
}

/** The siblings with their sides, the nearest first. Undefined for anything that is no path in a tree of that size. */
export function inclusionSteps({ index, size, proof }: Omit<LeafPlace, 'leaf'>): PathStep[] | undefined {
  if (!isIndex(index, size)) return undefined
  const ranges = siblingsOf(index, size)
  if (ranges.length !== proof.length) return undefined
  return proof.map((hash, at) => ({ side: (ranges[at]?.start ?? 0) > index ? 'right' : 'left', hash }))
}

/** Whether leaf `index` of the tree with this size and root is `leaf`. False for anything that is no proof. */
export function verifyInclusion({ root, ...place }: LeafPlace & { readonly root: Uint8Array }): boolean {
  const reached = inclusionRoot(place)
  return reached !== undefined && bytesEqual(reached, root)
}

const isIndex = (index: number, size: number): boolean =>
  Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size

function checkedIndex(index: number, size: number): number {
  if (!isIndex(index, size)) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  return index
}

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
  if (oldSize < 0 || oldSize > newSize) return false
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
  // The node with leaf oldSize - 1 and one that is not in the old tree.
  const { passedBy, reached } = descent(
    newSize,
    ({ end }) => end === oldSize,
    (middle) => oldSize <= middle,
  )
  return reached.start > 0 ? [reached, ...passedBy] : passedBy
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

interface LogProof {
  /** The number of the leaf, from 0. */
  readonly index: number
  /** The path of RFC 9162 section 2.1.3, from the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[]
  /** The note of the checkpoint as the log showed it. */
  readonly checkpoint: string
  /** Data of an application. Nothing vouches for it. */
  readonly extra?: Uint8Array
}

export function writeLogProof({ index, hashes, checkpoint, extra }: LogProof): string {
  const extraLine = extra === undefined ? '' : `extra ${toBase64(extra)}\n`
  return `${FIRST_LINE}\n${extraLine}index ${index}\n${writeHashLines(hashes)}\n${checkpoint}`
}

/**
 * The parts of a proof. Nothing is verified; `checkpoint` may be any text.
 * @throws RangeError on any other text, and above the ceilings
 */
export function readLogProof(text: string): LogProof {
  if (text.length > MOST_CHARACTERS) throw new RangeError('a log proof is too long')
  const split = text.indexOf('\n\n')
  if (split < 0) throw new RangeError('a log proof has no empty line before its checkpoint')
  const [first, ...lines] = text.slice(0, split).split('\n')
  if (first !== FIRST_LINE) throw new RangeError('not a log proof')
  const extra = lines[0]?.startsWith('extra ') ? lines.shift() : undefined
  const index = lines.shift()
  if (index === undefined || !index.startsWith('index ')) throw new RangeError('a log proof has no index')
  return {
    index: readDecimal(index.slice('index '.length)),
    hashes: readHashLines(lines),
    checkpoint: text.slice(split + 2),
    ...(extra === undefined ? {} : { extra: fromBase64(extra.slice('extra '.length)) }),
  }
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'

/** Of the whole text: a note, 63 hashes, and as much of other data as a note may have. */
const MOST_CHARACTERS = 2 * NOTE_CEILINGS.bytes + 64 * 64
