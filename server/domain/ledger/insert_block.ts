// Hashes, signs and stores one block and records its fact. Genesis and every later block use this function.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { blockHash, canonicalTextHash } from '../../../shared/proof/composites.ts'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import type { Signer } from './signer.ts'

export interface NewBlock {
  readonly id: string
  readonly height: number
  /** Unix milliseconds. Must be exactly the time in `id`. */
  readonly timeMs: number
  readonly previousBlockId: string
  readonly previousBlockHash: Uint8Array
  readonly merkleRoot: Uint8Array
  /** Canonical JSON text. */
  readonly metadata: string
  readonly signingKeyId: Uint8Array
  readonly itemCount: number
  readonly observationCount: number
  /** The smallest and the largest id of its items. Null without items. */
  readonly firstItemId: string | null
  readonly lastItemId: string | null
}

/**
 * The PostgreSQL channel on which every server listens for new blocks. The payload is the height. The transaction
 * that makes the block sends the notice.
 */
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
  const signature = await signer.sign(em, block.signingKeyId, hash)
  await change(em, INSERT_BLOCK({ ...block, hash, metadataHash, signature }))
  return hash
}

/**
 * Inserts the block and its fact and sends the notice. PostgreSQL delivers the notice at the commit, so every
 * listener can read the block when the notice arrives.
 */
const INSERT_BLOCK = command(
  (block: NewBlock & { hash: Uint8Array; metadataHash: Uint8Array; signature: Uint8Array }) => sql`
  WITH made AS (
    INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata,
                        metadata_hash, signing_key_id, signature, state, leaf_count, item_count, observation_count,
                        first_item_id, last_item_id, finalized_at)
    VALUES (${block.id}, ${block.height}, ${block.previousBlockId}, ${block.previousBlockHash}, ${block.hash},
            ${block.merkleRoot}, ${block.metadata}, ${block.metadataHash}, ${block.signingKeyId}, ${block.signature},
            'finalized', ${block.itemCount}::int + ${block.observationCount}::int, ${block.itemCount},
            ${block.observationCount}, ${block.firstItemId}, ${block.lastItemId}, from_unix_ms(${block.timeMs}))
    RETURNING id, height, block_hash, leaf_count, item_count, observation_count, finalized_at
  ), recorded AS (
    INSERT INTO facts (kind, subject_id, data, at)
    SELECT 'block.finalized', id, jsonb_build_object(
             'id', id, 'height', height, 'block_hash', encode(block_hash, 'hex'), 'state', 'finalized',
             'leaf_count', leaf_count, 'item_count', item_count, 'observation_count', observation_count,
             'finalized_at', iso_time(finalized_at)), finalized_at
      FROM made
  )
  SELECT pg_notify(${sql.lit(BLOCK_CHANNEL)}, height::text) FROM made`,
)
