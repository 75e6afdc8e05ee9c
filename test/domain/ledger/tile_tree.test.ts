// The streaming tree has the root that the plain definition has, and its tiles hold every node they should.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { perfectRoot, type Tile, TileTree } from '../../../server/domain/ledger/tile_tree.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { EMPTY_ROOT, leafHash, merkleRoot } from '../../../shared/proof/merkle.ts'

/** Hashes in a full tile. */
const WIDTH = 256

const hashOf = (index: number): Buffer => createHash('sha256').update(String(index)).digest()

function treeOf(leaves: readonly Buffer[]): { root: Uint8Array; tiles: Tile[] } {
  const tiles: Tile[] = []
  const tree = new TileTree((tile) => tiles.push(tile))
  for (const leaf of leaves) tree.add(leaf)
  expect(tree.leaves).toBe(leaves.length)
  return { root: tree.finish(), tiles }
}

describe('the tile tree', () => {
  const leaves = Array.from({ length: 65_793 }, (_, index) => hashOf(index))

  it('of no leaves has the empty root and no tile', () => {
    expect(treeOf([])).toEqual({ root: EMPTY_ROOT, tiles: [] })
  })

  it('has the root of the plain tree for every number of leaves from 0 to 600', () => {
    const wrong: number[] = []
    for (let count = 0; count <= 600; count += 1) {
      const some = leaves.slice(0, count)
      if (toHex(treeOf(some).root) !== toHex(merkleRoot(some))) wrong.push(count)
    }
    expect(wrong).toEqual([])
  })

  it.each([1023, 1024, 4097, 65_537])('has it for %i leaves', (count) => {
    const some = leaves.slice(0, count)
    expect(toHex(treeOf(some).root)).toBe(toHex(merkleRoot(some)))
  })

  it.each([1, 255, 256, 257, 513, 65_793])(
    'keeps every node of every eighth level of %i leaves, and the root over what is right of them',
    (count) => {
      const { tiles } = treeOf(leaves.slice(0, count))
      let nodes = leaves.slice(0, count).map((leaf) => Buffer.from(leafHash(leaf)))
      let level = 0
      const expected: { level: number; tile: number; hashes: string }[] = []
      while (nodes.length > 0) {
        const beyond = leaves.slice(nodes.length * WIDTH ** level, count)
        for (let from = 0; from < nodes.length; from += WIDTH) {
          const isFull = from + WIDTH <= nodes.length
          const rest = isFull || beyond.length === 0 ? [] : [merkleRoot(beyond)]
          expected.push({
            level,
            tile: from / WIDTH,
            hashes: Buffer.concat([...nodes.slice(from, from + WIDTH), ...rest]).toString('hex'),
          })
        }
        const full = Math.floor(nodes.length / WIDTH)
        const joined = Buffer.concat(nodes)
        nodes = Array.from({ length: full }, (_, at) => Buffer.from(perfectRoot(joined, at * WIDTH, WIDTH)))
        level += 1
      }
      const stored = tiles
        .map(({ hashes, ...place }) => ({ ...place, hashes: hashes.toString('hex') }))
        .sort((a, b) => a.level - b.level || a.tile - b.tile)
      expect(stored).toEqual(expected)
    },
  )
})
