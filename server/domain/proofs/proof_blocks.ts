// Reads the blocks of a bundle: the subject's block, the block that introduced the signing key, and the blocks from
// the witness block on.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { BlockMap } from '../../../shared/proof/bundle/bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { blockHash, canonicalTextHash } from '../../../shared/proof/composites.ts'
import { bytes, float8, int4, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import { storedObject } from './find_subject.ts'

export interface ProofBlock {
  readonly id: string
  readonly height: number
  readonly leafCount: number
  /** 32 bytes, recomputed from `carried`. */
  readonly hash: Uint8Array
  readonly carried: BlockMap
}

export interface ProofBlocks {
  readonly subject: ProofBlock | undefined
  readonly keyEvent: ProofBlock | undefined
  /** The blocks from the subject's witness block to the one before the subject's block, oldest first. */
  readonly run: readonly ProofBlock[]
  /** Unix milliseconds by the database's clock. */
  readonly nowMs: number
}

interface WantedBlocks {
  readonly subjectId: string
  /** Height of the block that introduced the signing key. */
  readonly keyEventHeight: number
  /** Hash of the subject's witness block, if the bundle should carry it. */
  readonly witnessHash: Uint8Array | undefined
}

/**
 * Maximum number of blocks between the witness block and the subject's block. 512 blocks take 131 KB, which leaves
 * room for the largest claims within the size limit of a proof. An item goes into the next block or the one after;
 * only an item whose transaction stayed open for hours would need more.
 */
export const MAX_BLOCKS_BETWEEN = 512

/** Makes one statement. Indexes: blocks_pkey, blocks_height_key, blocks_block_hash_key. */
export async function readProofBlocks(
  em: EntityManager,
  { subjectId, keyEventHeight, witnessHash }: WantedBlocks,
): Promise<ProofBlocks> {
  const found = await rows(em, BLOCKS({ subjectId, keyEventHeight, witnessHash: witnessHash ?? null }))
  const blocks = found.map(proofBlock)
  const subject = blocks.find(({ id }) => id === subjectId)
  const witness = blocks.find(
    ({ hash }) => witnessHash !== undefined && Buffer.compare(hash, witnessHash) === 0,
  )
  return {
    subject,
    keyEvent: blocks.find(({ height }) => height === keyEventHeight),
    run:
      subject === undefined || witness === undefined
        ? []
        : blocks.filter(({ height }) => height >= witness.height && height < subject.height),
    nowMs: found[0]?.now_ms ?? 0,
  }
}

/** When the run is too long, its beginning is left out, and so the witness is missing. */
const BLOCKS = statement(
  {
    id: text,
    height: int4,
    leaf_count: int4,
    previous_block_hash: bytes,
    merkle_root: bytes,
    metadata: text,
    signing_key_id: bytes,
    now_ms: float8,
  },
  ({
    subjectId,
    keyEventHeight,
    witnessHash,
  }: {
    subjectId: string
    keyEventHeight: number
    witnessHash: Uint8Array | null
  }) => sql`
  WITH subject AS (SELECT height FROM blocks WHERE id = ${subjectId}),
       witness AS (SELECT height FROM blocks WHERE block_hash = ${witnessHash})
  SELECT id, height, leaf_count, previous_block_hash, merkle_root, metadata, signing_key_id,
         unix_ms(pharos_now()) AS now_ms
    FROM blocks
   WHERE id = ${subjectId} OR height = ${keyEventHeight}
      OR (height >= (SELECT height FROM witness) AND height >= (SELECT height FROM subject) - ${sql.lit(MAX_BLOCKS_BETWEEN + 1)}
          AND height < (SELECT height FROM subject))
   ORDER BY height`,
)

function proofBlock(row: RowFrom<typeof BLOCKS>): ProofBlock {
  return {
    id: row.id,
    height: row.height,
    leafCount: row.leaf_count,
    hash: blockHash({
      id: row.id,
      previousBlockHash: row.previous_block_hash,
      merkleRoot: row.merkle_root,
      metadataHash: canonicalTextHash('block_metadata', row.metadata),
      keyId: row.signing_key_id,
    }),
    carried: {
      id: row.id,
      previous_block_hash: toHex(row.previous_block_hash),
      merkle_root: toHex(row.merkle_root),
      metadata: storedObject(row.metadata),
      signing_key_id: toHex(row.signing_key_id),
    },
  }
}
