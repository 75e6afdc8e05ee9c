// Trees of digests: made and checked as another program makes and checks them, and nothing else leads to a root.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DigestTree,
  isEntryType,
  LeafList,
  MAX_TREE_SIZE,
  rootOver,
  type TreeEntry,
  treeEntry,
  treeEntryBytes,
} from '../../shared/evidence/digest_tree.ts'
import { inclusionRoot } from '../../shared/log/tree_proofs.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { leafHash } from '../../shared/proof/merkle.ts'
import { secondCheck, secondEntry, secondPath, secondRoot } from './second_tree.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const anyEntry: fc.Arbitrary<TreeEntry> = fc.oneof(
  fc.record({ type: fc.constant('sha256' as const), value: bytes(32) }),
  fc.record({ type: fc.constant('md5' as const), value: bytes(16), salt: bytes(16) }),
  fc.record({ type: fc.constant('sha3_512' as const), value: bytes(64), salt: bytes(16) }),
  fc.record({ type: fc.constant('pharos-tree-v1' as const), value: bytes(40) }),
  fc.record({ type: fc.constant('ots' as const), value: fc.uint8Array({ minLength: 1, maxLength: 64 }) }),
  fc.record({ type: fc.constant('rfc3161-token' as const), value: bytes(32) }),
  fc.record({ type: fc.constant('round' as const), value: bytes(32) }),
  fc.record({ type: fc.constant('names' as const), value: bytes(32), salt: bytes(16) }),
)

const treeOf = (entries: readonly Uint8Array[]): DigestTree => {
  const leaves = new LeafList()
  for (const entry of entries) leaves.add(leafHash(entry))
  return leaves.tree()
}

describe('a tree of digests', () => {
  it('has the root and the paths that a second program computes, and each program accepts the paths of the other', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 70 }), (entries) => {
        const raw = entries.map(secondEntry)
        const tree = treeOf(raw)
        expect(entries.map((entry) => toHex(treeEntryBytes(entry)))).toEqual(raw.map(toHex))
        expect(toHex(tree.root)).toBe(toHex(secondRoot(raw)))
        for (const [index, entry] of entries.entries()) {
          const path = secondPath(index, raw)
          const place = { index, size: raw.length, path }
          expect(tree.path(index).map(toHex)).toEqual(path.map(toHex))
          expect(toHex(rootOver(entry, place) ?? Buffer.of())).toBe(toHex(tree.root))
          expect(secondCheck({ ...place, path: tree.path(index) }, secondEntry(entry), tree.root)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('agrees with the second program, about what is no path too', () => {
    fc.assert(
      fc.property(
        fc.array(bytes(32), { minLength: 1, maxLength: 40 }),
        fc.nat(45),
        fc.nat(45),
        fc.array(bytes(32), { maxLength: 8 }),
        fc.nat(7),
        (values, index, size, others, cut) => {
          const entries = values.map((value): TreeEntry => ({ type: 'sha256', value }))
          const raw = entries.map(secondEntry)
          const tree = treeOf(raw)
          const at = index % raw.length
          const entry = entries[at]
          const rawEntry = raw[at]
          if (entry === undefined || rawEntry === undefined) throw new Error('no entry')
          for (const path of [tree.path(at).slice(cut), [...tree.path(at), ...others], others])
            for (const place of [
              { index, size: raw.length, path },
              { index: at, size, path },
              { index, size, path },
            ]) {
              const root = rootOver(entry, place)
              const isIt = root !== undefined && toHex(root) === toHex(tree.root)
              expect(isIt).toBe(secondCheck(place, rawEntry, tree.root))
            }
        },
      ),
      { numRuns: 100 },
    )
  })

  // The trees of the tests of Certificate Transparency (google/certificate-transparency, merkletree).
  const KNOWN = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ]
  it.each(
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ].map((root, at) => [at + 1, root] as const),
  )('of %i known leaves has the known root', (size, root) => {
    expect(toHex(treeOf(KNOWN.slice(0, size).map(fromHex)).root)).toBe(root)
  })

  const [A, B, C] = [
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  ] as const
  it.each<[index: number, size: number, path: readonly string[]]>([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        A,
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        B,
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
    [1, 5, [C, A, B]],
  ])('has the known path from leaf %i of %i', (index, size, path) => {
    const leaves = KNOWN.slice(0, size).map(fromHex)
    const tree = treeOf(leaves)
    expect(tree.path(index).map(toHex)).toEqual(path)
    const leaf = leafHash(leaves[index] ?? expect.fail('no leaf'))
    expect(inclusionRoot({ index, size, leaf, proof: path.map(fromHex) })).toEqual(tree.root)
  })

  it('is made in pieces, with a pause after each 4,096 nodes of a level, and is the same', async () => {
    const leaves = new LeafList()
    for (let at = 0; at < 20_001; at += 1) leaves.add(leafHash(Buffer.from(`${at}`)))
    let pauses = 0
    const tree = await leaves.treeInPieces(async () => {
      pauses += 1
    })
    // Levels of 10,001 and 5,001 nodes.
    expect(pauses).toBe(3)
    const atOnce = leaves.tree()
    expect([tree.size, toHex(tree.root)]).toEqual([20_001, toHex(atOnce.root)])
    for (const index of [0, 9_999, 20_000])
      expect(tree.path(index).map(toHex)).toEqual(atOnce.path(index).map(toHex))
  })

  it('within a tree is an entry of its root and its size', () => {
    const inner = treeOf([Buffer.of(1), Buffer.of(2), Buffer.of(3)])
    expect(toHex(treeEntryBytes(treeEntry(inner.root, inner.size)))).toBe(
      `${toHex(Buffer.from('pharos-tree-v1\0'))}${toHex(inner.root)}0000000000000003`,
    )
  })

  it('has from one to 1,048,576 entries', () => {
    expect(() => new LeafList().tree()).toThrow(RangeError)
    expect(() => new DigestTree(new Uint8Array(33))).toThrow(RangeError)
    expect(() => new DigestTree(new Uint8Array((MAX_TREE_SIZE + 1) * 32))).toThrow(RangeError)
    expect(() => treeOf([Buffer.of(1)]).path(1)).toThrow(RangeError)
    expect(
      rootOver(
        { type: 'sha256', value: new Uint8Array(32) },
        { size: MAX_TREE_SIZE + 1, index: 0, path: [] },
      ),
    ).toBeUndefined()
  })
})

describe('an entry', () => {
  it.each<[string, TreeEntry]>([
    ['a digest of another length', { type: 'sha256', value: new Uint8Array(31) }],
    ['a salt of another length', { type: 'sha256', value: new Uint8Array(32), salt: new Uint8Array(15) }],
    ['names without a salt', { type: 'names', value: new Uint8Array(32) }],
    ['a tree with a salt', { type: 'pharos-tree-v1', value: new Uint8Array(40), salt: new Uint8Array(16) }],
    ['a tree without its size', { type: 'pharos-tree-v1', value: new Uint8Array(32) }],
    ['no bytes of a calendar', { type: 'ots', value: new Uint8Array() }],
    ['65 bytes of a calendar', { type: 'ots', value: new Uint8Array(65) }],
    ['a token with a salt', { type: 'rfc3161-token', value: new Uint8Array(32), salt: new Uint8Array(16) }],
  ])('is not %s', (_, entry) => expect(() => treeEntryBytes(entry)).toThrow(RangeError))

  it('has a type that is known by its own name only', () => {
    expect(['sha256', 'ots', 'names'].map(isEntryType)).toEqual([true, true, true])
    expect(['', 'SHA256', 'constructor', '__proto__', 'sha256\0'].map(isEntryType)).toEqual(
      Array(5).fill(false),
    )
  })
})
