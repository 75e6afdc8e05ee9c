// The answer to a digest leads to the root of its tree, whatever its place there, and to the address of the calendar.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DigestTree, entryLeaf, LeafList, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { inclusionSteps } from '../../../shared/log/tree_proofs.ts'
import { fromHex, toHex, utf8 } from '../../../shared/proof/bytes.ts'
import {
  isCalendarAddress,
  MOST_TIMESTAMP_BYTES,
  pendingAttestation,
  pendingTimestamp,
} from '../../../shared/proof/opentimestamps/pending_timestamp.ts'
import { readTimestamp } from '../../support/ots_reader.ts'

const ADDRESS = 'https://pharos.example.com/calendar/'
const promise = pendingAttestation(ADDRESS)

function treeWith(digest: Uint8Array, index: number, size: number): DigestTree {
  const leaves = new LeafList(size)
  for (let at = 0; at < size; at++) {
    const entry: TreeEntry = { type: 'ots', value: at === index ? digest : utf8(`other ${at}`) }
    leaves.add(entryLeaf(entry))
  }
  return leaves.tree()
}

const answerOf = (tree: DigestTree, index: number): Uint8Array =>
  pendingTimestamp(
    inclusionSteps({ index, size: tree.size, proof: tree.path(index) }) ?? expect.fail('no path'),
    promise,
  )

it('leads any digest of 1 to 64 bytes to the root, at any place in a tree of any size', () => {
  const place = fc
    .integer({ min: 1, max: 300 })
    .chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), place, (digest, [index, size]) => {
      const tree = treeWith(digest, index, size)
      const { pending, attestations } = readTimestamp(answerOf(tree, index), digest)
      expect(pending).toEqual([{ address: ADDRESS, message: Buffer.from(tree.root) }])
      expect(attestations).toEqual([])
    }),
  )
})

it('is these bytes: prepend, sha256, a sibling on the left, one on the right, the promise', () => {
  const steps = [
    { side: 'left' as const, hash: new Uint8Array(32).fill(0xaa) },
    { side: 'right' as const, hash: new Uint8Array(32).fill(0xbb) },
  ]
  expect(toHex(pendingTimestamp(steps, pendingAttestation('http://a/calendar/')))).toBe(
    [
      ...['f105006f747300', '08'],
      ...[`f12101${'aa'.repeat(32)}`, '08'],
      ...[`f020${'bb'.repeat(32)}`, 'f10101', '08'],
      ...['00', '83dfe30d2ef90c8e', '13', '12', Buffer.from('http://a/calendar/').toString('hex')],
    ].join(''),
  )
})

it('has room in an answer also in a tree of the largest size, at an address of the longest kind', () => {
  const longest = pendingAttestation(`https://${'a'.repeat(982)}/calendar/`)
  const steps = Array.from({ length: 20 }, () => ({ side: 'right' as const, hash: new Uint8Array(32) }))
  const digest = fromHex('aa')
  const bytes = pendingTimestamp(steps, longest)
  expect(bytes.length).toBeLessThanOrEqual(MOST_TIMESTAMP_BYTES)
  expect(readTimestamp(bytes, digest)).toMatchObject({ operations: 2 + 3 * 20 })
})

it('knows the addresses that readers refuse', () => {
  for (const address of ['http://localhost:4000/calendar/', 'https://a-b.example.com/calendar/'])
    expect(isCalendarAddress(address)).toBe(true)
  for (const address of ['http://[::1]:4000/calendar/', 'https://exämple.com/', 'a'.repeat(1_001)]) {
    expect(isCalendarAddress(address)).toBe(false)
    expect(() => pendingAttestation(address)).toThrow(RangeError)
  }
})
