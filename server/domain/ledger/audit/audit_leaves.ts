// Checks the leaves of one block: none is missing, none is extra, their order is right, and their tree has the
// block's root.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { TileTree } from '../tile_tree.ts'
import { auditSubject, COUNTED_AS, metadataOf } from './audit_subject.ts'
import type { BlockRow } from './block_rows.ts'
import { agree, type Disagreement, type Disagreements, holds } from './disagreement.ts'
import type { KeyChain } from './key_chain.ts'
import { orderedRows, type UpToBlock } from './ordered_rows.ts'
import type { Pace } from './pace.ts'
import { type LeafPlace, type LeafRow, leavesAfter } from './subject_rows.ts'
import { findWitnesses, type Witnesses } from './witnesses.ts'

export interface Leaf extends LeafPlace {
  readonly row: LeafRow
  readonly witnesses: Witnesses
}

/** Every leaf of every block up to and including the block `lastBlockId`. */
export const leavesUpTo = ({ em }: { em: EntityManager }, lastBlockId: string): UpToBlock<Leaf> =>
  orderedRows(async (last) => {
    const page = await leavesAfter({ em }, last, lastBlockId)
    const witnesses = await findWitnesses({ em }, metadataOf(page))
    return page.map((row) => ({ row, witnesses, block_id: row.block_id, leaf_index: row.leaf_index }))
  })

/** Adds every leaf to `tree` and compares the root with the root of the block. */
export async function* auditLeaves(
  block: BlockRow,
  leaves: UpToBlock<Leaf>,
  { keys, pace, tree }: { keys: KeyChain; pace: Pace; tree: TileTree },
): AsyncGenerator<Disagreement> {
  const place = { height: block.height }
  let observations = 0
  let last: LeafRow | undefined
  for await (const { row, witnesses } of leaves(block.id)) {
    if (row.block_id !== block.id) {
      yield {
        height: null,
        subject: row.id,
        field: 'block_id',
        expected: 'a block that exists',
        found: row.block_id,
      }
      continue
    }
    yield* order(block, last, row)
    yield* auditSubject(row, { block, keys, witnesses })
    tree.add(row.subject_hash)
    if (row.kind === 'observation') observations += 1
    last = row
    await pace.checked(COUNTED_AS[row.kind])
  }
  yield* agree(place, 'leaf_count', block.leaf_count, tree.leaves)
  yield* agree(place, 'observation_count', block.observation_count, observations)
  yield* agree(place, 'item_count', block.item_count, tree.leaves - observations)
  yield* agree(place, 'merkle_root', tree.finish(), block.merkle_root)
}

/** Leaf indexes must count up from 0 in the byte order of the ids. */
function* order(block: BlockRow, last: LeafRow | undefined, row: LeafRow): Disagreements {
  const place = { height: block.height, subject: row.id }
  yield* agree(place, 'leaf_index', last === undefined ? 0 : last.leaf_index + 1, row.leaf_index)
  if (last !== undefined)
    yield* holds(
      place,
      'id',
      Buffer.compare(Buffer.from(last.id), Buffer.from(row.id)) < 0,
      'ids in byte order',
    )
}
