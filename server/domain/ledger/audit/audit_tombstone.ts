// Checks the tombstone of a deleted item: its id, its hash and its place. Its hash still goes into the tree as a
// leaf.

import { type Disagreements, holds } from '../../../../shared/audit/disagreement.ts'
import { isUlid, ulidTime } from '../../../../shared/proof/ulid.ts'
import type { BlockRow } from './block_rows.ts'
import type { TombstoneRow } from './subject_rows.ts'

/**
 * The claims are gone, so the item hash cannot be recomputed. Only the root of its block proves the hash, if the item
 * has a block.
 */
export function* auditTombstone({ id }: TombstoneRow, block: BlockRow | undefined): Disagreements {
  const place = { height: block?.height ?? null, subject: id }
  yield* holds(place, 'id', isUlid(id), 'a ULID')
  if (isUlid(id) && block !== undefined)
    yield* holds(place, 'id', ulidTime(id) <= block.finalized_ms, 'a time not after that of its block')
}
