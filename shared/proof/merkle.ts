// Merkle trees of blocks and epochs: the shape of RFC 9162 section 2.1 with the domain bytes of this service.
import { domainHash, sha256 } from './domain_hash.ts'

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
  return domainHash('node', left, right)
}

/** `MTH(values)`, 32 bytes. `values` are in the order of the leaves and not yet hashed. */
export function merkleRoot(values: readonly Uint8Array[]): Uint8Array {
  return values.length === 0 ? EMPTY_ROOT : subtreeRoot(values, 0, values.length)
}

/**
 * The siblings of leaf `index`, the nearest first. Empty when there is one leaf.
 * @throws RangeError when there is no such leaf
 */
export function merklePath(index: number, values: readonly Uint8Array[]): PathStep[] {
  if (!Number.isInteger(index) || index < 0 || index >= values.length)
    throw new RangeError(`no leaf ${index}`)
  const fromRoot: PathStep[] = []
  let start = 0
  let end = values.length
  while (end - start > 1) {
    const middle = start + largestPowerOfTwoBelow(end - start)
    if (index < middle) {
      fromRoot.push({ side: 'right', hash: subtreeRoot(values, middle, end) })
      end = middle
    } else {
      fromRoot.push({ side: 'left', hash: subtreeRoot(values, start, middle) })
      start = middle
    }
  }
  return fromRoot.reverse()
}

/** The root computed from `value` (not yet hashed as a leaf) and its siblings. */
export function walkPath(value: Uint8Array, steps: readonly PathStep[]): Uint8Array {
  let hash = leafHash(value)
  for (const step of steps)
    hash = step.side === 'left' ? nodeHash(step.hash, hash) : nodeHash(hash, step.hash)
  return hash
}

/** Root over `values[start..end)`, which must not be empty. Recurses log2 of their number. */
function subtreeRoot(values: readonly Uint8Array[], start: number, end: number): Uint8Array {
  const only = values[start]
  if (only === undefined) throw new RangeError(`no leaf ${start}`)
  if (end - start === 1) return leafHash(only)
  const middle = start + largestPowerOfTwoBelow(end - start)
  return nodeHash(subtreeRoot(values, start, middle), subtreeRoot(values, middle, end))
}

/** For `count` from 2 to 2^31. */
function largestPowerOfTwoBelow(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}
