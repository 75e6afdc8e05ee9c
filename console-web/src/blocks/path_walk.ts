// The way from one leaf up to the root of its block, recomputed step by step.
import { bytesEqual, fromHex, toHex } from '../../../shared/proof/bytes.ts'
import { leafHash, nodeHash, type PathStep } from '../../../shared/proof/merkle.ts'

export type PathWalk = {
  /** Hash of the leaf: `D(0x00, value)`. */
  readonly leaf: string
  /** From the leaf up. */
  readonly levels: readonly PathLevel[]
  /** What the path leads to, and what the block has. */
  readonly computed: string
  readonly expected: string
  readonly ok: boolean
}

type PathLevel = {
  /** Where the sibling stands. */
  readonly side: 'left' | 'right'
  readonly sibling: string
  /** Hash of both: `D(0x01, left ‖ right)`. */
  readonly parent: string
}

/** @param value item hash or observation hash, 64 hex */
export const walkUp = (value: string, path: readonly PathStep[], root: string): PathWalk => {
  const leaf = leafHash(fromHex(value))
  let hash = leaf
  const levels = path.map(({ side, hash: sibling }): PathLevel => {
    hash = side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    return { side, sibling: toHex(sibling), parent: toHex(hash) }
  })
  return {
    leaf: toHex(leaf),
    levels,
    computed: toHex(hash),
    expected: root,
    ok: bytesEqual(hash, fromHex(root)),
  }
}
