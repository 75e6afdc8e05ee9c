// Merkle trees and paths: every leaf proves itself, and nothing else proves anything.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesEqual, fromHex, toBase64Url, toHex, u32 } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import {
  decodePath,
  EMPTY_ROOT,
  encodePath,
  leafHash,
  merklePath,
  merkleRoot,
  nodeHash,
  type PathStep,
  walkPath,
} from '../../shared/proof/merkle.ts'
import { vectors } from './vectors.ts'

describe.each(vectors.merkle)('known tree of $n', ({ leaf_values, root, proofs }) => {
  const values = leaf_values.map(fromHex)

  it('has its root', () => expect(toHex(merkleRoot(values))).toBe(root))

  it('has its paths, in both forms', () => {
    for (const [index, value] of values.entries()) {
      const known = proofs.find((proof) => proof.index === index)
      const steps = merklePath(index, values)
      expect(steps.map(({ side, hash }) => ({ side, hash: toHex(hash) }))).toEqual(known?.steps)
      expect(encodePath(steps)).toBe(known?.compact_b64url)
      expect(toBase64Url(fromHex(known?.compact_hex ?? ''))).toBe(known?.compact_b64url)
      expect(decodePath(known?.compact_b64url ?? '')).toEqual(steps)
      expect(toHex(walkPath(value, steps))).toBe(root)
    }
  })
})

describe('known paths', () => {
  it.each(vectors.paths.accept)('$name', ({ leaf_value, depth, sides, compact_b64url, root }) => {
    const steps = decodePath(compact_b64url)
    expect(steps).toHaveLength(depth)
    expect(steps.map(({ side }) => (side === 'right' ? '1' : '0')).join('')).toBe(sides)
    expect(toHex(walkPath(fromHex(leaf_value), steps))).toBe(root)
    expect(encodePath(steps)).toBe(compact_b64url)
  })

  it.each(vectors.paths.refuse)('refused: $name', ({ text }) =>
    expect(() => decodePath(text)).toThrow(RangeError),
  )
})

describe('tree', () => {
  it('is RFC 9162’s for every size up to 300, and in those tried (to 33, then every 50th) each leaf verifies', () => {
    for (let n = 0; n <= 300; n++) {
      const values = leavesOf(n)
      const root = merkleRoot(values)
      expect(toHex(root)).toBe(toHex(rootByMerging(values)))
      if (n > 33 && n % 50 !== 0) continue
      for (const [index, value] of values.entries())
        expect(bytesEqual(walkPath(value, merklePath(index, values)), root)).toBe(true)
    }
  })

  it('any changed bit of a leaf or sibling, and any changed side, leads elsewhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 255 }),
        (n, at, where, bit) => {
          const values = leavesOf(n)
          const root = merkleRoot(values)
          const index = at % n
          const value = values[index] ?? new Uint8Array()
          const steps = merklePath(index, values)
          expect(walkPath(value, steps)).toEqual(root)
          expect(walkPath(flipped(value, bit), steps)).not.toEqual(root)
          if (steps.length === 0) return
          const changed = where % steps.length
          const withStep = (change: (step: PathStep) => PathStep): PathStep[] =>
            steps.map((step, i) => (i === changed ? change(step) : step))
          expect(
            walkPath(
              value,
              withStep(({ side, hash }) => ({ side, hash: flipped(hash, bit) })),
            ),
          ).not.toEqual(root)
          expect(
            walkPath(
              value,
              withStep(({ side, hash }) => ({ side: side === 'left' ? 'right' : 'left', hash })),
            ),
          ).not.toEqual(root)
          expect(walkPath(value, steps.slice(0, -1))).not.toEqual(root)
          expect(walkPath(value, steps.slice(1))).not.toEqual(root)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('an inner node is no leaf', () => {
    const values = leavesOf(4)
    const left = nodeHash(leafHash(values[0] ?? EMPTY_ROOT), leafHash(values[1] ?? EMPTY_ROOT))
    const right = nodeHash(leafHash(values[2] ?? EMPTY_ROOT), leafHash(values[3] ?? EMPTY_ROOT))
    expect(merkleRoot([left, right])).not.toEqual(merkleRoot(values))
  })

  it('a leaf that is not there has no path', () => {
    for (const index of [-1, 3, 0.5, Number.NaN])
      expect(() => merklePath(index, leavesOf(3))).toThrow(RangeError)
    expect(() => merklePath(0, [])).toThrow(RangeError)
  })

  it('without leaves is the hash of nothing', () =>
    expect(toHex(EMPTY_ROOT)).toBe(vectors.genesis.empty_merkle_root))
})

describe('path encoding', () => {
  const anySteps = fc.array(
    fc.record({
      side: fc.constantFrom<'left' | 'right'>('left', 'right'),
      hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    }),
    { maxLength: 64 },
  )

  it('reads back what it wrote, in exactly the stated length', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const text = encodePath(steps)
        const d = steps.length
        expect(Buffer.from(text, 'base64url')).toHaveLength(1 + Math.ceil(d / 8) + 32 * d)
        expect(decodePath(text)).toEqual(steps)
      }),
    )
  })

  it('ignores unused side bits when reading, and writes them 0', () => {
    const steps = merklePath(1, leavesOf(5))
    const bytes = Buffer.from(encodePath(steps), 'base64url')
    expect((bytes[1] ?? 0) >> steps.length).toBe(0)
    bytes[1] = (bytes[1] ?? 0) | 0b1111_1000
    expect(decodePath(bytes.toString('base64url'))).toEqual(steps)
  })

  it('refuses more than 64 steps and siblings that are no hashes', () => {
    const step: PathStep = { side: 'left', hash: new Uint8Array(32) }
    expect(() => encodePath(Array.from({ length: 65 }, () => step))).toThrow(RangeError)
    expect(() => encodePath([{ side: 'left', hash: new Uint8Array(31) }])).toThrow(RangeError)
  })
})

/** The RFC 9162 root another way: merge equal heights as leaves come in, then fold what is left from the right. */
function rootByMerging(values: readonly Uint8Array[]): Uint8Array {
  const stack: Uint8Array[] = []
  for (const [i, value] of values.entries()) {
    let hash = leafHash(value)
    for (let size = i + 1; size % 2 === 0; size /= 2) hash = nodeHash(stack.pop() ?? EMPTY_ROOT, hash)
    stack.push(hash)
  }
  let root = stack.pop()
  if (root === undefined) return sha256(new Uint8Array())
  for (let left = stack.pop(); left !== undefined; left = stack.pop()) root = nodeHash(left, root)
  return root
}

function leavesOf(n: number): Uint8Array[] {
  return Array.from({ length: n }, (_, i) => sha256(u32(i)))
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice()
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}
