// Checks one block: its hashes, its signature, its link to the block before it, and its order. Other files check its
// subjects.
import { blockHash, canonicalTextHash, genesisPreviousHash } from '../../../../shared/proof/composites.ts'
import { EMPTY_ROOT } from '../../../../shared/proof/merkle.ts'
import { isUuid7, uuid7Time } from '../../../../shared/proof/uuid7.ts'
import { GENESIS_MESSAGE } from '../genesis.ts'
import type { BlockRow } from './block_rows.ts'
import { readCanonical } from './canonical_text.ts'
import { agree, type Disagreements, holds, type Place } from './disagreement.ts'
import type { ChainKey } from './key_chain.ts'

/**
 * @param previous undefined for the first block only
 * @param signer the key that must have signed the block, according to the key events up to and including this block
 */
export function* auditBlock(
  block: BlockRow,
  previous: BlockRow | undefined,
  signer: Pick<ChainKey, 'keyId' | 'signed'> | undefined,
): Disagreements {
  const place: Place = { height: block.height }
  yield* agree(place, 'height', previous === undefined ? 0 : previous.height + 1, block.height)
  yield* link(place, block, previous)
  yield* holds(place, 'metadata', readCanonical(block.metadata) !== undefined, 'canonical JSON')
  yield* agree(
    place,
    'metadata_hash',
    canonicalTextHash('block_metadata', block.metadata),
    block.metadata_hash,
  )
  yield* agree(place, 'signing_key_id', signer?.keyId, block.signing_key_id.toString('hex'))
  yield* agree(place, 'block_hash', hashOf(block), block.block_hash)
  if (signer !== undefined) {
    const signed = signer.signed(block.block_hash, block.signature)
    yield* holds(place, 'signature', signed, `that of key ${signer.keyId} over the block hash`)
  }
  yield* holds(place, 'id', isUuid7(block.id), 'a UUIDv7')
  yield* agree(place, 'finalized_at', uuid7Time(block.id), block.finalized_ms)
  yield* agree(place, 'leaf_count', block.item_count + block.observation_count, block.leaf_count)
  yield* agree(place, 'state', block.committed ? 'committed' : 'finalized', block.state)
}

function* link(place: Place, block: BlockRow, previous: BlockRow | undefined): Disagreements {
  if (previous === undefined) {
    yield* agree(place, 'previous_block_id', block.id, block.previous_block_id)
    yield* agree(
      place,
      'previous_block_hash',
      genesisPreviousHash(GENESIS_MESSAGE),
      block.previous_block_hash,
    )
    yield* agree(place, 'merkle_root', EMPTY_ROOT, block.merkle_root)
    return
  }
  yield* agree(place, 'previous_block_id', previous.id, block.previous_block_id)
  yield* agree(place, 'previous_block_hash', previous.block_hash, block.previous_block_hash)
  yield* holds(
    place,
    'finalized_at',
    block.finalized_ms > previous.finalized_ms,
    'later than the block before',
  )
}

const hashOf = (block: BlockRow): Uint8Array =>
  blockHash({
    id: block.id,
    previousBlockHash: block.previous_block_hash,
    merkleRoot: block.merkle_root,
    metadataHash: block.metadata_hash,
    keyId: block.signing_key_id,
  })
