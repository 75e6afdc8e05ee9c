// The way from one leaf up to the root of its block, recomputed step by step.
import { bytesEqual, fromHex, toHex } from '../../../shared/proof/bytes.ts'
import { leafHash, nodeHash, type PathStep } from '../../../shared/proof/merkle.ts'

export type PathWalk = ReturnType<typeof walkUp>

/** @param value item hash or observation hash, 64 hex */
export const walkUp = (value: string, path: readonly PathStep[], root: string) => {
  const leaf = leafHash(fromHex(value))
  let hash = leaf
  /** From the leaf up. The parent is the hash of both: `D(0x01, left ‖ right)`. */
  const levels = path.map(({ side, hash: sibling }) => {
    hash = side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    return { side, sibling: toHex(sibling), parent: toHex(hash) }
  })
  return {
    /** Hash of the leaf: `D(0x00, value)`. */
    leaf: toHex(leaf),
    levels,
    /** What the path leads to, and what the block has. */
    computed: toHex(hash),
    expected: root,
    ok: bytesEqual(hash, fromHex(root)),
  }
}
