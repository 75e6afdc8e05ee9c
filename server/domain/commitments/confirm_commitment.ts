// The moment an epoch is on its chain: evidence, commitment, its blocks and the facts of it, in one transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { commitmentHash, jsonHash } from '../../../shared/proof/composites.ts'
import { inTransaction, rows } from '../../store/rows.ts'
import type { Evidence } from './chains/chain.ts'

export interface Confirmation {
  readonly commitmentId: string
  /** 64 hex, as the chain shows it. */
  readonly transactionHash: string
  readonly evidence: Evidence
  readonly lookMs: number
}

export interface Confirmed {
  readonly commitmentHash: string
  /** Blocks that this commitment was the first to commit. */
  readonly blocks: number
}

/** Safe to repeat: a second time it writes the same evidence again and finds no block to commit. */
export function confirmCommitment(
  { em }: { em: EntityManager },
  { commitmentId, transactionHash, evidence, lookMs }: Confirmation,
): Promise<Confirmed> {
  return inTransaction(em, async (tx) => {
    const [standing] = await rows<Standing>(tx, STANDING, [commitmentId])
    if (standing === undefined) throw new Error('There is no such commitment.')
    const hash = Buffer.from(hashOf(commitmentId, transactionHash, standing))
    await rows(tx, STORE_EVIDENCE, [commitmentId, evidence.timestamp, ...blockColumns(evidence)])
    await rows(tx, CONFIRM, [
      commitmentId,
      Buffer.from(transactionHash, 'hex'),
      hash,
      'ledger' in evidence ? evidence.ledger : null,
      'blockHeight' in evidence ? evidence.blockHeight : null,
      lookMs,
    ])
    const committed = await rows(tx, COMMIT_BLOCKS, [standing.first_block_id, standing.last_block_id])
    // Commit point: from here on a bundle can be made from any of these blocks.
    return { commitmentHash: hash.toString('hex'), blocks: committed.length }
  })
}

interface Standing {
  readonly chain: string
  readonly network: string
  readonly epoch_root: Buffer
  readonly signing_key_id: Buffer
  readonly first_block_id: string
  readonly last_block_id: string
}

const STANDING = `
  SELECT c.chain, c.network, c.epoch_root, c.signing_key_id, e.first_block_id, e.last_block_id
    FROM commitments c JOIN epochs e ON e.id = c.epoch_id
   WHERE c.id = $1 FOR UPDATE OF c`

const hashOf = (
  id: string,
  tx: string,
  { chain, network, epoch_root, signing_key_id }: Standing,
): Uint8Array =>
  commitmentHash({
    id,
    dataHash: jsonHash('commitment_data', { chain, epoch_root: epoch_root.toString('hex'), network, tx }),
    ownerId: `epoch:${chain}`,
    keyId: signing_key_id,
  })

const blockColumns = (evidence: Evidence): readonly (Buffer | null)[] =>
  'blockHash' in evidence
    ? [
        Buffer.from(evidence.blockHash, 'hex'),
        Buffer.from(evidence.blockMerkleRoot, 'hex'),
        Buffer.from(evidence.rawTransaction),
        Buffer.from(evidence.txoutproof),
      ]
    : [null, null, null, null]

const STORE_EVIDENCE = `
  INSERT INTO commitment_evidence (commitment_id, chain_time, block_hash, block_merkle_root, raw_transaction, txoutproof)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (commitment_id) DO UPDATE
     SET chain_time = excluded.chain_time, block_hash = excluded.block_hash,
         block_merkle_root = excluded.block_merkle_root, raw_transaction = excluded.raw_transaction,
         txoutproof = excluded.txoutproof, inserted_at = excluded.inserted_at`

const CONFIRM = `
  WITH after AS (
    UPDATE commitments
       SET state = 'confirmed', transaction_hash = $2, commitment_hash = $3, ledger = $4, block_height = $5,
           confirmed_at = pharos_now(), error = NULL, updated_at = pharos_now(),
           look_at = pharos_now() + $6 * interval '1 millisecond'
     WHERE id = $1
    RETURNING commitments)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.confirmed', (commitments).id, commitment_snapshot(commitments) FROM after`

/** One fact per block, at most as many as an epoch has; of a second chain none. Index: blocks_pkey. */
const COMMIT_BLOCKS = `
  WITH committed AS (
    UPDATE blocks SET state = 'committed', committed_at = pharos_now(), updated_at = pharos_now()
     WHERE id BETWEEN $1 AND $2 AND state = 'finalized'
    RETURNING id, height, block_hash, leaf_count, item_count, observation_count, finalized_at, committed_at)
  INSERT INTO facts (kind, subject_id, data, at)
  SELECT 'block.committed', id, jsonb_build_object(
           'id', id, 'height', height, 'block_hash', encode(block_hash, 'hex'), 'state', 'committed',
           'leaf_count', leaf_count, 'item_count', item_count, 'observation_count', observation_count,
           'finalized_at', iso_time(finalized_at), 'committed_at', iso_time(committed_at)), committed_at
    FROM committed ORDER BY height
  RETURNING subject_id`
