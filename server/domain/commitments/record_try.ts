// Records what was tried for a commitment, how its chain answered, and that it is confirmed. Each record is one statement or
// one transaction, so it is never half written.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { epochCommitmentHash } from '../../../shared/proof/composites.ts'
import { bytes, text } from '../../store/columns.ts'
import { change, command, db, inTransaction, NOW, rows, statement } from '../../store/statement.ts'
import type { Evidence, PreparedTransaction } from './chains/chain.ts'

/** Characters. Errors are cut because some chains quote whole transactions. */
export const LONGEST_ERROR = 500

/**
 * Commit point of a signed transaction: from here on only its bytes are sent under this number. Returns false when
 * another server has stored one first or the commitment is confirmed. Then this transaction must never be sent.
 */
export async function storeTransaction(
  em: EntityManager,
  commitmentId: string,
  number: number,
  { transactionHash, bytes }: PreparedTransaction,
): Promise<boolean> {
  const signed = { hash: Buffer.from(transactionHash, 'hex'), bytes: Buffer.from(bytes) }
  return (await change(em, STORE({ commitmentId, number, ...signed }))) > 0
}

const STORE = command(
  (signed: { commitmentId: string; number: number; hash: Buffer; bytes: Buffer }) => sql`
  WITH stored AS (
    INSERT INTO commitment_transactions (commitment_id, number, transaction_hash, bytes)
    SELECT id, ${signed.number}, ${signed.hash}, ${signed.bytes} FROM commitments
     WHERE id = ${signed.commitmentId} AND state <> 'confirmed'
    ON CONFLICT DO NOTHING RETURNING commitment_id)
  UPDATE commitments SET transaction_hash = ${signed.hash}, updated_at = pharos_now()
    FROM stored WHERE id = commitment_id AND state <> 'confirmed'`,
)

/**
 * Records that the chain accepted the transaction. Writes the fact `commitment.submitted` when the state or the
 * transaction changes.
 */
export async function recordSent(
  em: EntityManager,
  commitmentId: string,
  { transactionHash, lookMs }: { readonly transactionHash: string; readonly lookMs: number },
): Promise<void> {
  await change(em, SENT({ commitmentId, hash: Buffer.from(transactionHash, 'hex'), lookMs }))
}

const SENT = command(
  ({ commitmentId, hash, lookMs }: { commitmentId: string; hash: Buffer; lookMs: number }) => sql`
  WITH before AS (SELECT id, state, transaction_hash FROM commitments
              WHERE id = ${commitmentId} AND state <> 'confirmed' FOR UPDATE),
  sent AS (UPDATE commitment_transactions SET sent_at = pharos_now()
            WHERE commitment_id = ${commitmentId} AND transaction_hash = ${hash}),
  after AS (
    UPDATE commitments c
       SET state = 'submitted', transaction_hash = ${hash}, attempts = c.attempts + 1, error = NULL,
           look_at = pharos_now() + ${lookMs} * interval '1 millisecond', updated_at = pharos_now()
      FROM before WHERE c.id = before.id
    RETURNING c, before.state <> 'submitted' OR before.transaction_hash IS DISTINCT FROM ${hash} AS news)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.submitted', (c).id, commitment_snapshot(c) FROM after WHERE news`,
)

/**
 * Records that the chain refused. With `broadcast` it refused a transaction, which counts as an attempt. The
 * commitment becomes `failed`, with a fact when it was not failed before. With `onItsWay` the state stays, because
 * the chain still has an earlier transaction.
 */
export async function recordRefused(
  em: EntityManager,
  commitmentId: string,
  { reason, broadcast, ...refused }: Refused & { readonly reason: string; readonly broadcast: boolean },
): Promise<void> {
  const error = reason.slice(0, LONGEST_ERROR)
  await change(em, REFUSED({ ...refused, commitmentId, error, attempts: broadcast ? 1 : 0 }))
}

interface Refused {
  readonly onItsWay: boolean
  readonly lookMs: number
}

const REFUSED = command(
  (refused: Refused & { commitmentId: string; error: string; attempts: number }) => sql`
  WITH before AS (SELECT id, state FROM commitments
                   WHERE id = ${refused.commitmentId} AND state <> 'confirmed' FOR UPDATE),
  after AS (
    UPDATE commitments c
       SET state = CASE WHEN ${refused.onItsWay} THEN c.state ELSE 'failed' END, error = ${refused.error},
           attempts = c.attempts + ${refused.attempts},
           look_at = pharos_now() + ${refused.lookMs} * interval '1 millisecond', updated_at = pharos_now()
      FROM before WHERE c.id = before.id
    RETURNING c, before.state <> c.state AS news)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.failed', (c).id, commitment_snapshot(c) FROM after WHERE news`,
)

/** Sets the time of the next look, or none when `lookMs` is null. `error` says why the chain could not be asked. */
export const lookLater = (
  em: EntityManager,
  commitmentId: string,
  { lookMs, error }: { readonly lookMs: number | null; readonly error: string | null },
): Promise<number> =>
  change(em, LOOK_LATER({ commitmentId, lookMs, error: error?.slice(0, LONGEST_ERROR) ?? null }))

const LOOK_LATER = command(
  (look: { commitmentId: string; lookMs: number | null; error: string | null }) => sql`
  UPDATE commitments SET look_at = pharos_now() + ${look.lookMs}::float8 * interval '1 millisecond', error = ${look.error}
   WHERE id = ${look.commitmentId}`,
)

/**
 * Records that a reorganisation removed the confirmed transaction: the state goes back to `submitted` and the
 * evidence is deleted. The blocks stay `committed` with their times, because these never go back. Returns false when
 * the commitment is no longer confirmed with this transaction.
 */
export const reopenCommitment = async (
  em: EntityManager,
  commitmentId: string,
  transactionHash: string,
): Promise<boolean> =>
  (await change(em, REOPEN({ commitmentId, hash: Buffer.from(transactionHash, 'hex') }))) > 0

const REOPEN = command(
  ({ commitmentId, hash }: { commitmentId: string; hash: Buffer }) => sql`
  WITH after AS (
    UPDATE commitments
       SET state = 'submitted', commitment_hash = NULL, ledger = NULL, block_height = NULL, confirmed_at = NULL,
           look_at = pharos_now(), updated_at = pharos_now()
     WHERE id = ${commitmentId} AND state = 'confirmed' AND transaction_hash = ${hash}
    RETURNING commitments),
  gone AS (DELETE FROM commitment_evidence WHERE commitment_id IN (SELECT (commitments).id FROM after))
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.submitted', (commitments).id, commitment_snapshot(commitments) FROM after`,
)

interface Confirmation {
  readonly commitmentId: string
  /** 64 hex digits, as the chain shows the hash. */
  readonly transactionHash: string
  readonly evidence: Evidence
  readonly lookMs: number
}

/**
 * Marks a commitment as confirmed: stores the evidence, the commitment, its blocks and the facts in one transaction. Safe
 * to repeat: the second call writes the same evidence again and finds no block to commit. Returns the number of blocks
 * that had no confirmed commitment before.
 */
export function confirmCommitment(
  em: EntityManager,
  { commitmentId, transactionHash, evidence, lookMs }: Confirmation,
) {
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
    const transaction = Buffer.from(transactionHash, 'hex')
    await change(tx, CONFIRM({ ...placeIn(evidence), commitmentId, transaction, hash, lookMs }))
    // Commit point: from here on a bundle can be made for each of these blocks.
    return { blocks: await change(tx, COMMIT_BLOCKS(standing)) }
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

const placeIn = (evidence: Evidence) => ({
  ledger: 'ledger' in evidence ? evidence.ledger : null,
  blockHeight: 'blockHeight' in evidence ? evidence.blockHeight : null,
})

interface ConfirmedNow extends ReturnType<typeof placeIn> {
  readonly commitmentId: string
  readonly transaction: Buffer
  readonly hash: Buffer
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
  (epoch: { first_block_id: string; last_block_id: string }) => sql`
  WITH committed AS (
    UPDATE blocks SET state = 'committed', committed_at = pharos_now(), updated_at = pharos_now()
     WHERE id BETWEEN ${epoch.first_block_id} AND ${epoch.last_block_id} AND state = 'finalized'
    RETURNING id, height, block_hash, leaf_count, item_count, observation_count, finalized_at, committed_at)
  INSERT INTO facts (kind, subject_id, data, at)
  SELECT 'block.committed', id, jsonb_build_object(
           'id', id, 'height', height, 'block_hash', encode(block_hash, 'hex'), 'state', 'committed',
           'leaf_count', leaf_count, 'item_count', item_count, 'observation_count', observation_count,
           'finalized_at', iso_time(finalized_at), 'committed_at', iso_time(committed_at)), committed_at
    FROM committed ORDER BY height`,
)
