// Marks a commitment as confirmed: it stores the evidence, the commitment, its blocks and the facts in one
// transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { epochCommitmentHash } from '../../../shared/proof/composites.ts'
import { bytes, text } from '../../store/columns.ts'
import { change, db, inTransaction, rows } from '../../store/run.ts'
import { command, NOW, statement } from '../../store/statement.ts'
import type { Evidence } from './chains/chain.ts'

interface Confirmation {
  readonly commitmentId: string
  /** 64 hex digits, as the chain shows the hash. */
  readonly transactionHash: string
  readonly evidence: Evidence
  readonly lookMs: number
}

interface Confirmed {
  readonly commitmentHash: string
  /** Number of blocks that had no confirmed commitment before. */
  readonly blocks: number
}

/** Safe to repeat. The second call writes the same evidence again and finds no block to commit. */
export function confirmCommitment(
  em: EntityManager,
  { commitmentId, transactionHash, evidence, lookMs }: Confirmation,
): Promise<Confirmed> {
  return inTransaction(em, async (tx) => {
    const [standing] = await rows(tx, STANDING({ commitmentId }))
    if (standing === undefined) throw new Error('There is no such commitment.')
    const hash = Buffer.from(
      epochCommitmentHash({
        id: commitmentId,
        series: standing,
        root: standing.epoch_root.toString('hex'),
        transaction: transactionHash,
        keyId: standing.signing_key_id,
      }),
    )
    await storeEvidence(tx, commitmentId, evidence)
    const confirmed = {
      commitmentId,
      transaction: Buffer.from(transactionHash, 'hex'),
      hash,
      ledger: 'ledger' in evidence ? evidence.ledger : null,
      blockHeight: 'blockHeight' in evidence ? evidence.blockHeight : null,
      lookMs,
    }
    await change(tx, CONFIRM(confirmed))
    const committed = await change(
      tx,
      COMMIT_BLOCKS({ first: standing.first_block_id, last: standing.last_block_id }),
    )
    // Commit point: from here on a bundle can be made for each of these blocks.
    return { commitmentHash: hash.toString('hex'), blocks: committed }
  })
}

const STANDING = statement(
  {
    chain: text,
    network: text,
    epoch_root: bytes,
    signing_key_id: bytes,
    first_block_id: text,
    last_block_id: text,
  },
  ({ commitmentId }: { commitmentId: string }) => sql`
  SELECT c.chain, c.network, c.epoch_root, c.signing_key_id, e.first_block_id, e.last_block_id
    FROM commitments c JOIN epochs e ON e.id = c.epoch_id
   WHERE c.id = ${commitmentId} FOR UPDATE OF c`,
)

async function storeEvidence(em: EntityManager, commitmentId: string, evidence: Evidence): Promise<void> {
  const ofBlock = 'blockHash' in evidence ? evidence : undefined
  const columns = {
    chain_time: evidence.timestamp,
    block_hash: ofBlock === undefined ? null : Buffer.from(ofBlock.blockHash, 'hex'),
    block_merkle_root: ofBlock === undefined ? null : Buffer.from(ofBlock.blockMerkleRoot, 'hex'),
    raw_transaction: ofBlock === undefined ? null : Buffer.from(ofBlock.rawTransaction),
    txoutproof: ofBlock === undefined ? null : Buffer.from(ofBlock.txoutproof),
  }
  await db(em)
    .insertInto('commitment_evidence')
    .values({ commitment_id: commitmentId, ...columns })
    .onConflict((known) => known.column('commitment_id').doUpdateSet({ ...columns, inserted_at: NOW }))
    .execute()
}

interface ConfirmedNow {
  readonly commitmentId: string
  readonly transaction: Buffer
  readonly hash: Buffer
  readonly ledger: number | null
  readonly blockHeight: number | null
  readonly lookMs: number
}

const CONFIRM = command(
  ({ commitmentId, transaction, hash, ledger, blockHeight, lookMs }: ConfirmedNow) => sql`
  WITH after AS (
    UPDATE commitments
       SET state = 'confirmed', transaction_hash = ${transaction}, commitment_hash = ${hash}, ledger = ${ledger},
           block_height = ${blockHeight},
           confirmed_at = pharos_now(), error = NULL, updated_at = pharos_now(),
           look_at = pharos_now() + ${lookMs} * interval '1 millisecond'
     WHERE id = ${commitmentId}
    RETURNING commitments)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.confirmed', (commitments).id, commitment_snapshot(commitments) FROM after`,
)

/**
 * Writes one fact per block, so at most as many as an epoch has blocks. A commitment to a second chain writes none,
 * because its blocks are already committed. Index: blocks_pkey.
 */
const COMMIT_BLOCKS = command(
  ({ first, last }: { first: string; last: string }) => sql`
  WITH committed AS (
    UPDATE blocks SET state = 'committed', committed_at = pharos_now(), updated_at = pharos_now()
     WHERE id BETWEEN ${first} AND ${last} AND state = 'finalized'
    RETURNING id, height, block_hash, leaf_count, item_count, observation_count, finalized_at, committed_at)
  INSERT INTO facts (kind, subject_id, data, at)
  SELECT 'block.committed', id, jsonb_build_object(
           'id', id, 'height', height, 'block_hash', encode(block_hash, 'hex'), 'state', 'committed',
           'leaf_count', leaf_count, 'item_count', item_count, 'observation_count', observation_count,
           'finalized_at', iso_time(finalized_at), 'committed_at', iso_time(committed_at)), committed_at
    FROM committed ORDER BY height`,
)
