// Proofs from tiles are those of RFC 9162, and prove nothing else.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryLeafHash } from '../../shared/log/log_entry.ts'
import { readRoot, type TileCoordinate, type TileReader, tileAt } from '../../shared/log/tiles.ts'
import {
  consistencyProof,
  inclusionProof,
  verifyConsistency,
  verifyInclusion,
} from '../../shared/log/tree_proofs.ts'
import { bytesEqual, toHex, u32 } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { rootOf } from '../../shared/proof/merkle.ts'
import { naiveTiles, naiveTree } from './naive_tree.ts'

/** More than one full tile. */
const SIZES = 300
const data = Array.from({ length: SIZES }, (_, at) => sha256(u32(at)))
const tree = naiveTree(data)
const read = naiveTiles(tree, SIZES)
const hexes = (hashes: readonly Uint8Array[]) => hashes.map(toHex)

describe('a tree of each size up to 300', () => {
  it('has the root of the RFC, from its leaves and from its tiles', async () => {
    for (let size = 0; size <= SIZES; size++) {
      const root = toHex(tree.root(0, size))
      expect(toHex(rootOf(data.slice(0, size).map(entryLeafHash)))).toBe(root)
      expect(toHex(await readRoot(read, size))).toBe(root)
    }
  })

  it('has the RFC’s consistency proof with each smaller one (from 100 on, with some), and it verifies', async () => {
    for (let newSize = 1; newSize <= SIZES; newSize++)
      for (let oldSize = 1; oldSize <= newSize; oldSize++) {
        if (!isTried(oldSize, newSize)) continue
        const proof = await consistencyProof(read, oldSize, newSize)
        if (!same(proof, tree.proof(oldSize, newSize))) expect([oldSize, newSize]).toBe('another proof')
        expect(verifyConsistency(consistencyOf(oldSize, newSize, proof))).toBe(true)
      }
  })

  it('has the RFC’s inclusion proof of each leaf (from 100 on, of some), and it verifies', async () => {
    for (let size = 1; size <= SIZES; size++)
      for (let index = 0; index < size; index++) {
        if (!isTried(index, size)) continue
        const proof = await inclusionProof(read, index, size)
        if (!same(proof, tree.path(index, size))) expect([index, size]).toBe('another proof')
        const leaf = tree.leafOf(index)
        expect(verifyInclusion({ index, size, leaf, proof, root: tree.root(0, size) })).toBe(true)
      }
  })
})

const same = (one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean =>
  one.length === other.length && Buffer.concat(one).equals(Buffer.concat(other))

/** All pairs up to 100, and one of 61 of the others. */
const isTried = (smaller: number, larger: number): boolean =>
  larger <= 100 || (smaller * 31 + larger) % 61 === 0

const consistencyOf = (oldSize: number, newSize: number, proof: readonly Uint8Array[]) => ({
  ...{ oldSize, newSize, proof },
  oldRoot: tree.root(0, oldSize),
  newRoot: tree.root(0, newSize),
})

/** Two sizes, the smaller one first. */
const sizes = fc
  .tuple(fc.integer({ min: 1, max: SIZES }), fc.integer({ min: 1, max: SIZES }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)

describe('a proof of something else', () => {
  it('is refused: one hash changed, left out, added, another size or another root', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async ([oldSize, newSize], random) => {
        const proof = await consistencyProof(read, oldSize, newSize)
        const right = consistencyOf(oldSize, newSize, proof)
        const at = random % Math.max(1, proof.length)
        const changed = proof.map((hash, place) => (place === at ? flipped(hash, random) : hash))
        if (proof.length > 0) expect(verifyConsistency({ ...right, proof: changed })).toBe(false)
        if (proof.length > 0) expect(verifyConsistency({ ...right, proof: proof.slice(1) })).toBe(false)
        expect(verifyConsistency({ ...right, proof: [...proof, tree.leafOf(0)] })).toBe(false)
        expect(verifyConsistency({ ...right, oldRoot: flipped(right.oldRoot, random) })).toBe(false)
        expect(verifyConsistency({ ...right, newRoot: flipped(right.newRoot, random) })).toBe(false)
        expect(verifyConsistency({ ...right, newSize: oldSize - 1 })).toBe(false)

        const index = oldSize - 1
        const path = await inclusionProof(read, index, newSize)
        const leaf = tree.leafOf(index)
        const included = { index, size: newSize, leaf, proof: path, root: right.newRoot }
        const other = path.map((hash, place) => (place === at % path.length ? flipped(hash, random) : hash))
        if (path.length > 0) expect(verifyInclusion({ ...included, proof: other })).toBe(false)
        expect(verifyInclusion({ ...included, proof: [...path, leaf] })).toBe(false)
        expect(verifyInclusion({ ...included, leaf: flipped(leaf, random) })).toBe(false)
        expect(verifyInclusion({ ...included, root: flipped(included.root, random) })).toBe(false)
        for (const elsewhere of [index + 1, index - 1, newSize, -1, index + 0.5, Number.NaN])
          expect(verifyInclusion({ ...included, index: elsewhere })).toBe(false)
      }),
    )
  })

  it('is refused for sizes that are no sizes', () => {
    const root = tree.root(0, 3)
    for (const [oldSize, newSize] of [
      [-1, 3],
      [1.5, 3],
      [4, 3],
      [3, Number.POSITIVE_INFINITY],
      [3, 2 ** 60],
    ] as const)
      expect(verifyConsistency({ oldSize, newSize, oldRoot: root, newRoot: root, proof: [] })).toBe(false)
  })
})

it('the empty tree is the beginning of every tree', async () => {
  expect(await consistencyProof(read, 0, 5)).toEqual([])
  expect(verifyConsistency(consistencyOf(0, 5, []))).toBe(true)
  expect(verifyConsistency({ ...consistencyOf(0, 5, []), oldRoot: tree.root(0, 1) })).toBe(false)
})

it('what is no leaf, or no smaller tree, has no proof', async () => {
  await expect(inclusionProof(read, 5, 5)).rejects.toThrow(RangeError)
  await expect(inclusionProof(read, -1, 5)).rejects.toThrow(RangeError)
  await expect(consistencyProof(read, 6, 5)).rejects.toThrow(RangeError)
  await expect(readRoot(read, 2 ** 60)).rejects.toThrow(RangeError)
})

it('a reader that yields too little makes no proof; one that yields more makes the same', async () => {
  const short: TileReader = async (tiles) => (await read(tiles)).map((tile) => tile.subarray(0, -32))
  await expect(consistencyProof(short, 7, 300)).rejects.toThrow(RangeError)
  const long: TileReader = async (tiles) =>
    (await read(tiles)).map((tile) => Buffer.concat([tile, Buffer.alloc(32)]))
  expect(hexes(await consistencyProof(long, 7, 300))).toEqual(hexes(tree.proof(7, 300)))
})

describe('a tree of 10,000,000 leaves', () => {
  /** Any hash will do: what is asked for follows from the sizes. */
  const asked: TileCoordinate[][] = []
  const synthetic: TileReader = async (tiles) => {
    asked.push([...tiles])
    return tiles.map(({ level, index, width }) => new Uint8Array(32 * width).fill(level + index))
  }
  const size = fc.integer({ min: 1, max: 10_000_000 })

  it('reads at most 60 tiles for a consistency or inclusion proof, in one call, and none twice', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(size, size, async (one, other) => {
        asked.length = 0
        const [oldSize, newSize] = [Math.min(one, other), Math.max(one, other)]
        await consistencyProof(synthetic, oldSize, newSize)
        await inclusionProof(synthetic, oldSize - 1, newSize)
        expect(asked.length).toBeLessThanOrEqual(2)
        for (const tiles of asked) {
          most = Math.max(most, tiles.length)
          expect(new Set(tiles.map(({ level, index }) => `${level}/${index}`)).size).toBe(tiles.length)
          for (const { level, index, width } of tiles)
            expect(tileAt(newSize, level, index)?.width).toBe(width)
        }
      }),
      { examples: [[9_999_999, 10_000_000]], numRuns: 100 },
    )
    expect(most).toBeGreaterThan(2)
    expect(most).toBeLessThanOrEqual(60)
  })
})

const flipped = (hash: Uint8Array, random: number): Uint8Array =>
  hash.map((byte, at) => (at === random % hash.length ? byte ^ (1 << (random % 8)) : byte))

it('the flipped hash is another one', () => {
  expect(bytesEqual(flipped(tree.leafOf(0), 9), tree.leafOf(0))).toBe(false)
})
