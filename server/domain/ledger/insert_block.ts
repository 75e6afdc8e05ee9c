// Hashes, signs and stores one block and records its fact: each block, and the first one, which has no subjects and no
// real predecessor, and introduces the first signing key.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { blockComposite, entryBytes, entryLeafHash } from '../../../shared/log/log_entry.ts'
import { canonicalTextHash, GENESIS_MESSAGE, genesisPreviousHash } from '../../../shared/proof/composites.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { EMPTY_ROOT } from '../../../shared/proof/merkle.ts'
import { uuid7From } from '../../kernel/identifiers.ts'
import { bool, float8 } from '../../store/columns.ts'
import { putFirstKeyInForce, type Sealing } from '../../store/seal.ts'
import { db, inTransaction, row, statement } from '../../store/statement.ts'
import { type BlockLog, lockLedger, NO_LOG } from './block.ts'
import { keyEventMetadata, makeSigningKey, type Signer } from './signing_key.ts'

interface NewBlock {
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

export interface InsertParts {
  readonly em: EntityManager
  readonly signer: Signer
  readonly publicLog: BlockLog
}

/** Returns what is to be called once the transaction is committed. @throws BehindWhatWasSigned */
export async function insertBlock(
  { em, signer, publicLog }: InsertParts,
  block: NewBlock,
): Promise<() => void> {
  const metadataHash = canonicalTextHash('block_metadata', block.metadata)
  const composite = blockComposite({
    id: block.id,
    previousBlockHash: block.previousBlockHash,
    merkleRoot: block.merkleRoot,
    metadataHash,
    keyId: block.signingKeyId,
  })
  const hash = sha256(composite)
  const signature = await signer.sign(em, block.signingKeyId, hash)
  const leaf = entryLeafHash(entryBytes({ composite, signature, metadata: block.metadata }))
  return publicLog.append(em, { height: block.height, leaf }, async (checkpoint) => {
    const { signed } = await row(
      em,
      INSERT_BLOCK({
        ...{ ...block, hash, metadataHash, signature },
        log: checkpoint?.log ?? null,
        root: checkpoint?.root ?? null,
        rootSignature: checkpoint?.signature ?? null,
        rootBefore: checkpoint?.rootBefore ?? null,
      }),
    )
    return signed
  })
}

interface InsertedBlock extends NewBlock {
  readonly hash: Uint8Array
  readonly metadataHash: Uint8Array
  readonly signature: Uint8Array
  /** All are null without a checkpoint. */
  readonly log: number | null
  readonly root: Uint8Array | null
  readonly rootSignature: Uint8Array | null
  readonly rootBefore: Uint8Array | null
}

/**
 * Inserts the block, its fact, and the checkpoint of the public log, if that extends the newest one of the key in use and
 * no server has written that one is missing. A trigger appends the leaf of the block. Sends the notice: PostgreSQL
 * delivers it at the commit, so every listener can read the block when the notice arrives. Indexes: log_keys_pkey,
 * log_checkpoints_pkey, missing_checkpoints_pkey.
 */
const INSERT_BLOCK = statement(
  { signed: bool },
  (block: InsertedBlock) => sql`
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
  ), signed AS (
    INSERT INTO log_checkpoints (log, size, root, signature)
    SELECT k.number, ${block.height}::int + 1, ${block.root}::bytea, ${block.rootSignature}::bytea
      FROM log_keys k
      JOIN log_checkpoints before ON before.log = k.number AND before.size = ${block.height}
     WHERE k.number = ${block.log}::int AND k.retired_at IS NULL AND before.root = ${block.rootBefore}::bytea
       AND NOT EXISTS (SELECT FROM missing_checkpoints WHERE log = k.number)
    RETURNING size
  )
  SELECT EXISTS (SELECT FROM signed) AS signed
    FROM made CROSS JOIN LATERAL pg_notify(${sql.lit(BLOCK_CHANNEL)}, made.height::text)`,
)

/** Makes keys 0 and 1 and the genesis block in one transaction. Does nothing when the ledger already has a block. */
export function makeGenesis({
  em,
  masterKey,
  signer,
}: Sealing & { readonly signer: Signer }): Promise<'made' | 'exists'> {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const { begun, now_ms } = await row(tx, BEGUN)
    if (begun) return 'exists'
    await putFirstKeyInForce({ em: tx, masterKey })
    const key = await makeSigningKey({ em: tx, masterKey }, 0)
    const next = await makeSigningKey({ em: tx, masterKey }, 1)
    await db(tx)
      .updateTable('signing_keys')
      .set({ rotation: 'genesis', introduced_at_height: 0 })
      .where('key_id', '=', key.keyId)
      .execute()
    const id = uuid7From(now_ms, randomBytes(10))
    await insertBlock(
      { em: tx, signer, publicLog: NO_LOG },
      {
        id,
        height: 0,
        timeMs: now_ms,
        previousBlockId: id,
        previousBlockHash: genesisPreviousHash(GENESIS_MESSAGE),
        merkleRoot: EMPTY_ROOT,
        metadata: canonicalJson(keyEventMetadata(key, 'genesis', next)),
        signingKeyId: key.keyId,
        itemCount: 0,
        observationCount: 0,
        firstItemId: null,
        lastItemId: null,
      },
    )
    return 'made'
  })
}

const BEGUN = statement(
  { begun: bool, now_ms: float8 },
  sql`SELECT EXISTS (SELECT 1 FROM blocks) AS begun, unix_ms(pharos_now()) AS now_ms`,
)
