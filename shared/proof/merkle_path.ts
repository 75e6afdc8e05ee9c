// The text form of a Merkle path: depth, side bits and siblings as base64url.
import { fromBase64Url, toBase64Url } from './bytes.ts'
import type { PathStep } from './merkle.ts'

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

const HASH_BYTES = 32

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
