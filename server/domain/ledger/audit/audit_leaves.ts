// Checks the leaves of one block: none is missing, none is extra, their order is right, and their tree has the
// block's root.
import type { EntityManager } from '@mikro-orm/postgresql'
import { agree, type Disagreement, type Disagreements, holds } from '../../../../shared/audit/disagreement.ts'
import type { KeyChain } from '../../../../shared/audit/key_chain.ts'
import type { TileTree } from '../tile_tree.ts'
import { auditSubject, COUNTED_AS, metadataOf } from './audit_subject.ts'
import type { BlockRow } from './block_rows.ts'
import type { Pace } from './pace.ts'
import { type LeafRow, leavesAfter } from './subject_rows.ts'
import { findWitnesses } from './witnesses.ts'

interface Collaborators {
  readonly em: EntityManager
  readonly keys: KeyChain
  readonly pace: Pace
}

/** Adds every leaf to `tree` and compares the root with the root of the block. */
export async function* auditLeaves(
  block: BlockRow,
  { em, keys, pace }: Collaborators,
  tree: TileTree,
): AsyncGenerator<Disagreement> {
  const place = { height: block.height }
  let observations = 0
  let firstItem: string | null = null
  let lastItem: string | null = null
  let last: LeafRow | undefined
  for (;;) {
    const page = await leavesAfter({ em }, block, last?.id ?? '')
    if (page.length === 0) break
    const witnesses = await findWitnesses({ em }, metadataOf(page))
    for (const row of page) {
      yield* order(block, last, row)
      last = row
      if (row.kind === 'lost') {
        yield { ...place, subject: row.id, field: 'id', expected: 'an item or its tombstone' }
        continue
      }
      yield* auditSubject(row, { block, keys, witnesses })
      tree.add(row.subject_hash)
      if (row.kind === 'observation') observations += 1
      else {
        firstItem ??= row.id
        lastItem = row.id
      }
      await pace.checked(COUNTED_AS[row.kind])
    }
  }
  yield* agree(place, 'leaf_count', block.leaf_count, tree.leaves)
  yield* agree(place, 'observation_count', block.observation_count, observations)
  yield* agree(place, 'item_count', block.item_count, tree.leaves - observations)
  yield* agree(place, 'merkle_root', tree.finish(), block.merkle_root)
  yield* agree(place, 'first_item_id', firstItem, block.first_item_id)
  yield* agree(place, 'last_item_id', lastItem, block.last_item_id)
}

/** Leaf indexes must count up from 0 in the byte order of the ids, in which the rows come. */
function* order(block: BlockRow, last: LeafRow | undefined, row: LeafRow): Disagreements {
  const place = { height: block.height, subject: row.id }
  yield* agree(place, 'leaf_index', last === undefined ? 0 : last.leaf_index + 1, row.leaf_index)
  yield* holds(place, 'id', last?.id !== row.id, 'one leaf of a subject')
}
