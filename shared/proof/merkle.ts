// Merkle trees of blocks and epochs: the shape of RFC 9162 section 2.1 with the domain bytes of this service, and
// paths as text: depth, side bits and siblings as base64url.
import { fromBase64Url, toBase64Url } from './bytes.ts'
import { DOMAIN_BYTES, domainHash, sha256, sha256Into } from './domain_hash.ts'

/** One level up: the sibling (32 bytes) and its side. */
export interface PathStep {
  side: 'left' | 'right'
  hash: Uint8Array
}

/** Root of the empty tree: SHA-256 of no bytes. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array())

export function leafHash(value: Uint8Array): Uint8Array {
  return domainHash('leaf', value)
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return domainHash('node', left, right)
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_BYTES)
  return sha256(NODE)
}

/** The node over two hashes that lie side by side, into `target` from `start` on. @param pair 64 bytes */
export function pairHashInto(pair: Uint8Array, target: Uint8Array, start: number): void {
  NODE.set(pair, 1)
  sha256Into(NODE, target, start)
}

const HASH_BYTES = 32

/** Filled again for each node, because large trees have many. Nothing else runs in between. */
const NODE = Uint8Array.of(DOMAIN_BYTES.node, ...new Uint8Array(2 * HASH_BYTES))

/** `MTH(values)`, 32 bytes. `values` are in the order of the leaves and not yet hashed. */
export const merkleRoot = (values: readonly Uint8Array[]): Uint8Array => rootOf(values.map(leafHash))

/** The root over hashes of leaves, or over roots of perfect subtrees of one height. 32 bytes. */
export const rootOf = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0 ? EMPTY_ROOT : subtreeRoot(hashes, 0, hashes.length)

/**
 * The siblings of leaf `index`, the nearest first. Empty when there is one leaf.
 * @throws RangeError when there is no such leaf
 */
export function merklePath(index: number, values: readonly Uint8Array[]): PathStep[] {
  if (!Number.isInteger(index) || index < 0 || index >= values.length)
    throw new RangeError(`no leaf ${index}`)
  const hashes = values.map(leafHash)
  return siblingsOf(index, hashes.length).map(({ start, end }) => ({
    side: start > index ? 'right' : 'left',
    hash: subtreeRoot(hashes, start, end),
  }))
}

/** The leaves from `start` up to, not including, `end`: a node of the tree of some size. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** The ranges of the siblings, the nearest first. */
export const siblingsOf = (index: number, size: number): LeafRange[] =>
  descent(
    size,
    ({ start, end }) => end - start <= 1,
    (middle) => index < middle,
  ).passedBy

/** From the root down to a node: what is passed by on the way, the lowest first, and the node that is reached. */
export function descent(
  size: number,
  isReached: (range: LeafRange) => boolean,
  goesLeft: (middle: number) => boolean,
): { readonly passedBy: LeafRange[]; readonly reached: LeafRange } {
  const passedBy: LeafRange[] = []
  let reached: LeafRange = { start: 0, end: size }
  while (!isReached(reached)) {
    const { start, end } = reached
    const middle = start + splitOf(end - start)
    const [left, right] = [
      { start, end: middle },
      { start: middle, end },
    ]
    reached = goesLeft(middle) ? left : right
    passedBy.push(reached === left ? right : left)
  }
  return { passedBy: passedBy.reverse(), reached }
}

/** The root computed from `value` (not yet hashed as a leaf) and its siblings. */
export const walkPath = (value: Uint8Array, steps: readonly PathStep[]): Uint8Array =>
  rootAbove(leafHash(value), steps)

/** The same from the hash of a leaf. */
export const rootAbove = (leaf: Uint8Array, steps: readonly PathStep[]): Uint8Array =>
  steps.reduce(
    (below, { side, hash }) => (side === 'left' ? nodeHash(hash, below) : nodeHash(below, hash)),
    leaf,
  )

/** Root over `hashes[start..end)`, which must not be empty. Recurses log2 of their number. */
function subtreeRoot(hashes: readonly Uint8Array[], start: number, end: number): Uint8Array {
  const only = hashes[start]
  if (only === undefined) throw new RangeError(`no leaf ${start}`)
  if (end - start === 1) return only
  const middle = start + splitOf(end - start)
  return nodeHash(subtreeRoot(hashes, start, middle), subtreeRoot(hashes, middle, end))
}

/** The largest power of two below `count`, which is from 2 to the largest safe integer. */
export function splitOf(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

const MAX_PATH_DEPTH = 64

/**
 * `AA` for the empty path.
 * @throws RangeError for more than 64 steps, or a sibling that is not 32 bytes
 */
export function encodePath(steps: readonly PathStep[]): string {
  if (steps.length > MAX_PATH_DEPTH) throw new RangeError(`a path has at most ${MAX_PATH_DEPTH} steps`)
  const bytes = new Uint8Array(encodedLength(steps.length))
  bytes[0] = steps.length
  steps.forEach((step, i) => {
    if (step.hash.length !== HASH_BYTES) throw new RangeError(`sibling ${i} is not ${HASH_BYTES} bytes`)
    if (step.side === 'right') bytes[sideByte(i)] = (bytes[sideByte(i)] ?? 0) | sideBit(i)
    bytes.set(step.hash, siblingsStart(steps.length) + HASH_BYTES * i)
  })
  return toBase64Url(bytes)
}

/**
 * Ignores unused side bits.
 * @throws RangeError unless the text is strict base64url of exactly the length that its depth requires
 */
export function decodePath(text: string): PathStep[] {
  const bytes = fromBase64Url(text)
  const depth = bytes[0]
  if (depth === undefined) throw new RangeError('an empty text is no path')
  if (depth > MAX_PATH_DEPTH) throw new RangeError(`a path has at most ${MAX_PATH_DEPTH} steps`)
  if (bytes.length !== encodedLength(depth))
    throw new RangeError(`a path of ${depth} steps takes ${encodedLength(depth)} bytes, not ${bytes.length}`)
  return Array.from({ length: depth }, (_, i) => {
    const start = siblingsStart(depth) + HASH_BYTES * i
    const isRight = ((bytes[sideByte(i)] ?? 0) & sideBit(i)) !== 0
    return { side: isRight ? 'right' : 'left', hash: bytes.subarray(start, start + HASH_BYTES) }
  })
}

function sideByte(step: number): number {
  return 1 + (step >> 3)
}

function sideBit(step: number): number {
  return 1 << (step & 7)
}

function siblingsStart(depth: number): number {
  return 1 + Math.ceil(depth / 8)
}

function encodedLength(depth: number): number {
  return siblingsStart(depth) + HASH_BYTES * depth
}
