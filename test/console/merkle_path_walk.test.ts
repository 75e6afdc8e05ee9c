// The leaves of a block in the browser: their order, the root over them, and the path from one of them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder, type Leaf, valuesOf } from '../../console-web/src/blocks/leaf.ts'
import { walkUp } from '../../console-web/src/blocks/merkle_path.tsx'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { leafHash, merklePath, merkleRoot } from '../../shared/proof/merkle.ts'

const leaf = (id: string, byte = 1): Leaf => ({
  id,
  type: 'item',
  hash: byte.toString(16).padStart(2, '0').repeat(32),
  name: null,
  round: null,
})

const ROOT = (values: readonly string[]): string => toHex(merkleRoot(values.map(fromHex)))

describe('the leaves of a block', () => {
  it('stand in the order of the bytes of their ids, items and observations together', () => {
    const ids = [
      '01J00000000000000000000001',
      '019a0000-0000-7000-8000-000000000000',
      '01H00000000000000000000001',
    ]
    expect(inOrder(ids.map((id) => leaf(id))).map(({ id }) => id)).toEqual(
      ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
  })
})

describe('the path from a leaf', () => {
  it('leads to the root from every leaf of every tree, with one step for each sibling', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.nat(),
        (hashes, pick) => {
          const index = pick % hashes.length
          const value = hashes[index] ?? ''
          const path = merklePath(index, valuesOf(hashes.map((hash) => ({ ...leaf('x'), hash }))))
          const walk = walkUp(value, path, ROOT(hashes))
          expect(walk.ok).toBe(true)
          expect(walk.levels).toHaveLength(path.length)
          expect(walk.leaf).toBe(toHex(leafHash(fromHex(value))))
          expect(walk.computed).toBe(walk.levels.at(-1)?.parent ?? walk.leaf)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('does not lead there from another value, with another sibling or on the other side', () => {
    const hashes = [1, 2, 3, 4, 5].map((byte) => leaf('x', byte).hash)
    const path = merklePath(2, hashes.map(fromHex))
    const root = ROOT(hashes)
    expect(walkUp(hashes[2] ?? '', path, root).ok).toBe(true)
    expect(walkUp(hashes[3] ?? '', path, root).ok).toBe(false)
    expect(walkUp(hashes[2] ?? '', path.toReversed(), root).ok).toBe(false)
    const turned = path.map(({ side, hash }) => ({ side: side === 'left' ? 'right' : 'left', hash }) as const)
    expect(walkUp(hashes[2] ?? '', turned, root)).toMatchObject({ ok: false, expected: root })
  })
})
