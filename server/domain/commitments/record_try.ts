// Records what was tried for a commitment and how its chain answered. Each record is one statement, so it is never
// half written.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import type { PreparedTransaction } from './chains/chain.ts'

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
  const stored = await change(
    em,
    STORE({
      commitmentId,
      number,
      hash: Buffer.from(transactionHash, 'hex'),
      bytes: Buffer.from(bytes),
    }),
  )
  return stored > 0
}

interface Signed {
  readonly commitmentId: string
  readonly number: number
  readonly hash: Buffer
  readonly bytes: Buffer
}

const STORE = command(
  ({ commitmentId, number, hash, bytes }: Signed) => sql`
  WITH stored AS (
    INSERT INTO commitment_transactions (commitment_id, number, transaction_hash, bytes)
    SELECT id, ${number}, ${hash}, ${bytes} FROM commitments WHERE id = ${commitmentId} AND state <> 'confirmed'
    ON CONFLICT DO NOTHING RETURNING commitment_id)
  UPDATE commitments SET transaction_hash = ${hash}, updated_at = pharos_now()
    FROM stored WHERE id = commitment_id AND state <> 'confirmed'`,
)

/**
 * Records that the chain accepted the transaction. Writes the fact `commitment.submitted` when the state or the
 * transaction changes.
 */
export const recordSent = async (
  em: EntityManager,
  commitmentId: string,
  { transactionHash, lookMs }: { readonly transactionHash: string; readonly lookMs: number },
): Promise<void> => {
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
export const recordRefused = async (
  em: EntityManager,
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
  const error = reason.slice(0, LONGEST_ERROR)
  await change(em, REFUSED({ commitmentId, error, attempts: broadcast ? 1 : 0, onItsWay, lookMs }))
}

interface Refused {
  readonly commitmentId: string
  readonly error: string
  readonly attempts: number
  readonly onItsWay: boolean
  readonly lookMs: number
}

const REFUSED = command(
  ({ commitmentId, error, attempts, onItsWay, lookMs }: Refused) => sql`
  WITH before AS (SELECT id, state FROM commitments WHERE id = ${commitmentId} AND state <> 'confirmed' FOR UPDATE),
  after AS (
    UPDATE commitments c
       SET state = CASE WHEN ${onItsWay} THEN c.state ELSE 'failed' END, error = ${error},
           attempts = c.attempts + ${attempts},
           look_at = pharos_now() + ${lookMs} * interval '1 millisecond', updated_at = pharos_now()
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
  ({
    commitmentId,
    lookMs,
    error,
  }: {
    commitmentId: string
    lookMs: number | null
    error: string | null
  }) => sql`
  UPDATE commitments SET look_at = pharos_now() + ${lookMs}::float8 * interval '1 millisecond', error = ${error}
   WHERE id = ${commitmentId}`,
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
): Promise<boolean> => {
  return (await change(em, REOPEN({ commitmentId, hash: Buffer.from(transactionHash, 'hex') }))) > 0
}

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
