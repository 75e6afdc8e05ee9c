// The path read out of the tiles is the path of the plain definition, for every leaf, and one tile a level is enough.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  inclusionPath,
  pathFromTiles,
  type Tile,
  TileTree,
  tilesOnPath,
} from '../../../server/domain/ledger/tile_tree.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { merklePath, type PathStep, walkPath } from '../../../shared/proof/merkle.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'
import { sizeOf } from '../../support/sizes.ts'

const leaves = Array.from({ length: 65_793 }, (_, index) =>
  createHash('sha256').update(String(index)).digest(),
)

function treeOf(count: number): { root: Uint8Array; pathOf: (leaf: number) => PathStep[] } {
  const tiles = new Map<string, Tile>()
  const tree = new TileTree((tile) => tiles.set(`${tile.level}/${tile.tile}`, tile))
  for (const leaf of leaves.slice(0, count)) tree.add(leaf)
  const root = tree.finish()
  const pathOf = (leaf: number) => {
    const wanted = tilesOnPath(leaf, count)
    expect(new Set(wanted.map(({ level }) => level)).size).toBe(wanted.length)
    const read = wanted.map(({ level, tile }) => tiles.get(`${level}/${tile}`)?.hashes ?? Buffer.alloc(0))
    return pathFromTiles(read, leaf, count)
  }
  return { root, pathOf }
}

const shown = (steps: readonly PathStep[]) => steps.map(({ side, hash }) => `${side} ${toHex(hash)}`)
const leadsTo = (leaf: number, steps: readonly PathStep[]) =>
  toHex(walkPath(leaves[leaf] ?? Buffer.alloc(0), steps))

describe('a path out of the tiles', () => {
  it('is the path of the plain tree for every leaf of 1 to 40 and of 255 to 258 leaves', () => {
    for (const count of [...Array(40).keys(), 254, 255, 256, 257]) {
      const { pathOf } = treeOf(count + 1)
      for (let leaf = 0; leaf <= count; leaf += 1)
        expect(shown(pathOf(leaf))).toEqual(shown(merklePath(leaf, leaves.slice(0, count + 1))))
    }
  })

  it.each([255, 256, 257, 258, 511, 512, 513, 1_000, 4_097, 65_535, 65_536, 65_537, 65_791, 65_792, 65_793])(
    'leads from any leaf of %i to the root',
    (count) => {
      const { root, pathOf } = treeOf(count)
      for (const leaf of [0, 1, 127, 128, 254, count - 257, count - 256, count - 2, count - 1])
        if (leaf >= 0 && leaf < count) expect(leadsTo(leaf, pathOf(leaf)), `leaf ${leaf}`).toBe(toHex(root))
      fc.assert(
        fc.property(fc.nat(count - 1), (leaf) => leadsTo(leaf, pathOf(leaf)) === toHex(root)),
        { numRuns: sizeOf('random_leaves') },
      )
    },
  )

  it('is the path of the plain tree for any number of leaves', () => {
    const anyLeaf = fc
      .integer({ min: 1, max: 2_000 })
      .chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 1)))
    fc.assert(
      fc.property(anyLeaf, ([count, leaf]) => {
        const plain = merklePath(leaf, leaves.slice(0, count))
        expect(shown(treeOf(count).pathOf(leaf))).toEqual(shown(plain))
      }),
      { numRuns: sizeOf('random_leaves') },
    )
  })

  it('is refused for a leaf that is not there', () => {
    for (const [leaf, count] of [
      [0, 0],
      [5, 5],
      [-1, 5],
      [0.5, 5],
    ] as const)
      expect(() => tilesOnPath(leaf, count)).toThrow(RangeError)
  })
})

describe('a path out of the database', () => {
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
  })
  afterAll(() => ledger?.close())

  it('leads to the root of the stored block, and is undefined once a tile of it is cut short or gone', async () => {
    const items = await ledger.submit(...Array.from({ length: 300 }, () => ({})))
    await ledger.finalize()
    const em = ledger.store.em()
    const placed = await rows<{ item_hash: Buffer; leaf_index: number; block_id: string; root: Buffer }>(
      em,
      `SELECT i.item_hash, i.leaf_index, i.block_id, b.merkle_root AS root
         FROM shown_items i JOIN blocks b ON b.id = i.block_id ORDER BY i.id`,
    )
    expect(placed).toHaveLength(items.length)
    for (const { item_hash, leaf_index, block_id, root } of placed) {
      const steps = await inclusionPath(em, { blockId: block_id, leafIndex: leaf_index, leafCount: 300 })
      expect(toHex(walkPath(item_hash, steps ?? []))).toBe(toHex(root))
    }
    const blockId = placed[0]?.block_id ?? ''
    expect(await inclusionPath(em, { blockId, leafIndex: 300, leafCount: 300 })).toBeUndefined()
    await rows(
      em,
      'UPDATE block_tiles SET hashes = substr(hashes, 1, length(hashes) - 32) WHERE level = 0 AND tile = 1',
    )
    expect(await inclusionPath(em, { blockId, leafIndex: 257, leafCount: 300 })).toBeUndefined()
    await rows(em, 'DELETE FROM block_tiles WHERE level = 0 AND tile = 1')
    expect(await inclusionPath(em, { blockId, leafIndex: 299, leafCount: 300 })).toBeUndefined()
    expect(await inclusionPath(em, { blockId, leafIndex: 0, leafCount: 300 })).toHaveLength(9)
  })
})
