// Checks one block of the database: what it says of itself, and the columns that are derived from that. Other files
// check its subjects.
import { auditChainBlock, type Signer } from '../../../../shared/audit/chain_block.ts'
import { agree, type Disagreements, type Place } from '../../../../shared/audit/disagreement.ts'
import { uuid7Time } from '../../../../shared/proof/uuid7.ts'
import type { BlockRow } from './block_rows.ts'

/**
 * @param previous undefined for the first block only
 * @param signer the key that must have signed the block, according to the key events up to and including this block
 */
export function* auditBlock(
  block: BlockRow,
  previous: BlockRow | undefined,
  signer: Signer | undefined,
): Disagreements {
  const place: Place = { height: block.height }
  yield* agree(place, 'height', previous === undefined ? 0 : previous.height + 1, block.height)
  yield* agree(place, 'previous_block_id', previous?.id ?? block.id, block.previous_block_id)
  yield* auditChainBlock(block, previous, signer)
  yield* agree(place, 'finalized_at', uuid7Time(block.id), block.finalized_ms)
  yield* agree(place, 'leaf_count', block.item_count + block.observation_count, block.leaf_count)
  yield* agree(place, 'state', block.committed ? 'committed' : 'finalized', block.state)
}
