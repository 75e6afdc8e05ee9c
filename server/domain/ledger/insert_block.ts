// Hashes, signs and stores one block, and records the fact of it. Genesis and every later block come through here.
import type { EntityManager } from '@mikro-orm/postgresql'
import { blockHash, canonicalTextHash } from '../../../shared/proof/composites.ts'
import { rows } from '../../store/rows.ts'
import type { Signer } from './signer.ts'

export interface NewBlock {
  readonly id: string
  readonly height: number
  /** Unix milliseconds; exactly the time in `id`. */
  readonly timeMs: number
  readonly previousBlockId: string
  readonly previousBlockHash: Uint8Array
  readonly merkleRoot: Uint8Array
  /** Canonical JSON text. */
  readonly metadata: string
  readonly signingKeyId: Uint8Array
  readonly itemCount: number
  readonly observationCount: number
}

/** Every server listens here; the payload is the height. Sent by the transaction that makes the block. */
export const BLOCK_CHANNEL = 'pharos_block'

export async function insertBlock(
  { em, signer }: { em: EntityManager; signer: Signer },
  block: NewBlock,
): Promise<Uint8Array> {
  const metadataHash = canonicalTextHash('block_metadata', block.metadata)
  const hash = blockHash({
    id: block.id,
    previousBlockHash: block.previousBlockHash,
    merkleRoot: block.merkleRoot,
    metadataHash,
    keyId: block.signingKeyId,
  })
  await rows(em, INSERT_BLOCK, [
    block.id,
    block.height,
    block.previousBlockId,
    block.previousBlockHash,
    hash,
    block.merkleRoot,
    block.metadata,
    metadataHash,
    block.signingKeyId,
    await signer.sign(em, block.signingKeyId, hash),
    block.itemCount,
    block.observationCount,
    block.timeMs,
    BLOCK_CHANNEL,
  ])
  return hash
}

/** The block, its fact and its notice: the notice leaves with the commit, so whoever hears it finds the block. */
const INSERT_BLOCK = `
  WITH made AS (
    INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata,
                        metadata_hash, signing_key_id, signature, state, leaf_count, item_count, observation_count,
                        finalized_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'finalized', $11::int + $12::int, $11, $12, from_unix_ms($13))
    RETURNING id, height, block_hash, leaf_count, item_count, observation_count, finalized_at
  ), told AS (
    INSERT INTO facts (kind, subject_id, data, at)
    SELECT 'block.finalized', id, jsonb_build_object(
             'id', id, 'height', height, 'block_hash', encode(block_hash, 'hex'), 'state', 'finalized',
             'leaf_count', leaf_count, 'item_count', item_count, 'observation_count', observation_count,
             'finalized_at', iso_time(finalized_at)), finalized_at
      FROM made
  )
  SELECT pg_notify($14, height::text) FROM made`
