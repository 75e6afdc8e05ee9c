// What is left of a deleted item: its id and its hash, in the place of its leaf. The leaf's hash goes into the tree.
import { isUlid, ulidTime } from '../../../../shared/proof/ulid.ts'
import type { BlockRow } from './block_rows.ts'
import { type Disagreements, holds } from './disagreement.ts'
import type { TombstoneRow } from './subject_rows.ts'

/** The claims are gone, so the item hash cannot be recomputed: only the block's root speaks for it, if it has a block. */
export function* auditTombstone({ id, alive }: TombstoneRow, block: BlockRow | undefined): Disagreements {
  const place = { height: block?.height ?? null, subject: id }
  yield* holds(place, 'id', isUlid(id), 'a ULID')
  yield* holds(place, 'id', !alive, 'no item with the id of a deleted one')
  if (isUlid(id) && block !== undefined)
    yield* holds(place, 'id', ulidTime(id) <= block.finalized_ms, 'a time not after that of its block')
}
