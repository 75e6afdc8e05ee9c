// Writes down what was tried for a commitment and what its chain said to it; each in one statement that cannot lie afterwards.
import type { EntityManager } from '@mikro-orm/postgresql'
import { change, rows } from '../../store/rows.ts'
import type { PreparedTransaction } from './chains/chain.ts'

/** Some chains quote whole transactions. */
export const LONGEST_ERROR = 500

/**
 * Commit point of a signed transaction: from here on its bytes, and no others under this number, are sent. False when
 * somebody else has stored one since, or the commitment is confirmed: then this one must never be sent.
 */
export async function storeTransaction(
  { em }: { em: EntityManager },
  commitmentId: string,
  number: number,
  { transactionHash, bytes }: PreparedTransaction,
): Promise<boolean> {
  const stored = await change(
    em,
    `WITH stored AS (
       INSERT INTO commitment_transactions (commitment_id, number, transaction_hash, bytes)
       SELECT id, $2, $3, $4 FROM commitments WHERE id = $1 AND state <> 'confirmed'
       ON CONFLICT DO NOTHING RETURNING commitment_id)
     UPDATE commitments SET transaction_hash = $3, updated_at = pharos_now()
       FROM stored WHERE id = commitment_id AND state <> 'confirmed'`,
    [commitmentId, number, Buffer.from(transactionHash, 'hex'), Buffer.from(bytes)],
  )
  return stored > 0
}

/** The chain took the transaction. Told as `commitment.submitted` when that is news. */
export const recordSent = async (
  { em }: { em: EntityManager },
  commitmentId: string,
  { transactionHash, lookMs }: { readonly transactionHash: string; readonly lookMs: number },
): Promise<void> => {
  await rows(em, SENT, [commitmentId, Buffer.from(transactionHash, 'hex'), lookMs])
}

const SENT = `
  WITH before AS (SELECT id, state, transaction_hash FROM commitments WHERE id = $1 AND state <> 'confirmed' FOR UPDATE),
  sent AS (UPDATE commitment_transactions SET sent_at = pharos_now()
            WHERE commitment_id = $1 AND transaction_hash = $2),
  after AS (
    UPDATE commitments c
       SET state = 'submitted', transaction_hash = $2, attempts = c.attempts + 1, error = NULL,
           look_at = pharos_now() + $3 * interval '1 millisecond', updated_at = pharos_now()
      FROM before WHERE c.id = before.id
    RETURNING c, before.state <> 'submitted' OR before.transaction_hash IS DISTINCT FROM $2 AS news)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.submitted', (c).id, commitment_snapshot(c) FROM after WHERE news`

/**
 * The chain refused. With `broadcast` it refused a transaction, which counts as an attempt. The commitment is `failed`,
 * told when that is news, unless an earlier transaction of it waits there (`onItsWay`).
 */
export const recordRefused = async (
  { em }: { em: EntityManager },
  commitmentId: string,
  {
    reason,
    broadcast,
    onItsWay,
    lookMs,
  }: {
    readonly reason: string
    readonly broadcast: boolean
    readonly onItsWay: boolean
    readonly lookMs: number
  },
): Promise<void> => {
  await rows(em, REFUSED, [commitmentId, reason.slice(0, LONGEST_ERROR), broadcast ? 1 : 0, onItsWay, lookMs])
}

const REFUSED = `
  WITH before AS (SELECT id, state FROM commitments WHERE id = $1 AND state <> 'confirmed' FOR UPDATE),
  after AS (
    UPDATE commitments c
       SET state = CASE WHEN $4 THEN c.state ELSE 'failed' END, error = $2, attempts = c.attempts + $3,
           look_at = pharos_now() + $5 * interval '1 millisecond', updated_at = pharos_now()
      FROM before WHERE c.id = before.id
    RETURNING c, before.state <> c.state AS news)
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.failed', (c).id, commitment_snapshot(c) FROM after WHERE news`

/** Nothing to do before then, or ever again when `lookMs` is null. `error` says why the chain could not be asked. */
export const lookLater = (
  { em }: { em: EntityManager },
  commitmentId: string,
  { lookMs, error }: { readonly lookMs: number | null; readonly error: string | null },
): Promise<number> =>
  change(
    em,
    `UPDATE commitments SET look_at = pharos_now() + $2::float8 * interval '1 millisecond', error = $3
      WHERE id = $1`,
    [commitmentId, lookMs, error?.slice(0, LONGEST_ERROR) ?? null],
  )

/**
 * A reorganisation took the confirmed transaction out: back to `submitted`, and the evidence is gone. Its blocks stay
 * `committed`, and its items keep the time since when a proof could be had: neither ever goes back.
 */
export const reopenCommitment = async (
  { em }: { em: EntityManager },
  commitmentId: string,
  transactionHash: string,
): Promise<boolean> => {
  const told = await rows(em, REOPEN, [commitmentId, Buffer.from(transactionHash, 'hex')])
  return told.length > 0
}

const REOPEN = `
  WITH after AS (
    UPDATE commitments
       SET state = 'submitted', commitment_hash = NULL, ledger = NULL, block_height = NULL, confirmed_at = NULL,
           look_at = pharos_now(), updated_at = pharos_now()
     WHERE id = $1 AND state = 'confirmed' AND transaction_hash = $2
    RETURNING commitments),
  gone AS (DELETE FROM commitment_evidence WHERE commitment_id IN (SELECT (commitments).id FROM after))
  INSERT INTO facts (kind, subject_id, data)
  SELECT 'commitment.submitted', (commitments).id, commitment_snapshot(commitments) FROM after
  RETURNING subject_id`
