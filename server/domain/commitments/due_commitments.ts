// Commitments whose turn it is, each with every transaction that was ever signed for it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { toHex } from '../../../shared/proof/bytes.ts'
import { change, row, rows } from '../../store/rows.ts'
import type { PreparedTransaction } from './chains/chain.ts'
import type { CommitmentState } from './commitment.ts'
import { LONGEST_WAIT_MS } from './pace.ts'
import type { Series } from './series.ts'

export interface TriedTransaction extends PreparedTransaction {
  /** Counts from 1. */
  readonly number: number
  /** Milliseconds since it was signed. */
  readonly ageMs: number
  /** Milliseconds since its chain last took it; null when it never did. */
  readonly sentMs: number | null
}

export interface DueCommitment {
  readonly id: string
  readonly state: CommitmentState
  readonly epochId: string
  readonly epochRoot: Uint8Array
  readonly attempts: number
  readonly error: string | null
  /** Of the transaction that is confirmed: 64 hex, and the Bitcoin block it was in. */
  readonly confirmed: { readonly transactionHash: string; readonly blockHash: string | null } | undefined
  /** Newest first. */
  readonly tried: readonly TriedTransaction[]
}

interface CommitmentRow {
  readonly id: string
  readonly state: CommitmentState
  readonly epoch_id: string
  readonly epoch_root: Buffer
  readonly attempts: number
  readonly error: string | null
  readonly transaction_hash: Buffer | null
  readonly block_hash: Buffer | null
}

interface TriedRow {
  readonly commitment_id: string
  readonly number: number
  readonly transaction_hash: Buffer
  readonly bytes: Buffer
  readonly age_ms: number
  readonly sent_ms: number | null
}

/** At most `limit`, those that have waited longest first. Two queries. Index: commitments_due. */
export async function dueCommitments(
  { em }: { em: EntityManager },
  { chain, network }: Series,
  limit: number,
): Promise<DueCommitment[]> {
  const due = await rows<CommitmentRow>(
    em,
    `SELECT c.id, c.state, c.epoch_id, c.epoch_root, c.attempts, c.error, c.transaction_hash, v.block_hash
       FROM commitments c LEFT JOIN commitment_evidence v ON v.commitment_id = c.id
      WHERE c.chain = $1 AND c.network = $2 AND c.look_at <= pharos_now()
      ORDER BY c.look_at LIMIT $3`,
    [chain, network, limit],
  )
  if (due.length === 0) return []
  const tried = await rows<TriedRow>(
    em,
    `SELECT commitment_id, number, transaction_hash, bytes,
            unix_ms(pharos_now()) - unix_ms(inserted_at) AS age_ms,
            unix_ms(pharos_now()) - unix_ms(sent_at) AS sent_ms
       FROM commitment_transactions WHERE commitment_id = ANY($1::text[]) ORDER BY number DESC`,
    [due.map(({ id }) => id)],
  )
  const byCommitment = Map.groupBy(tried, ({ commitment_id }) => commitment_id)
  return due.map((commitment) => ({
    id: commitment.id,
    state: commitment.state,
    epochId: commitment.epoch_id,
    epochRoot: commitment.epoch_root,
    attempts: commitment.attempts,
    error: commitment.error,
    confirmed: confirmedOf(commitment),
    tried: (byCommitment.get(commitment.id) ?? []).map((each) => ({
      number: each.number,
      transactionHash: toHex(each.transaction_hash),
      bytes: each.bytes,
      ageMs: each.age_ms,
      sentMs: each.sent_ms,
    })),
  }))
}

/**
 * Whether there is one, or one that waits for a moment that a clock which has gone back since has named: nobody waits
 * for that. Two looks into commitments_due.
 */
export async function isCommitmentDue(
  { em }: { em: EntityManager },
  { chain, network }: Series,
): Promise<boolean> {
  const { due } = await row<{ due: boolean }>(
    em,
    `SELECT EXISTS (SELECT 1 FROM commitments WHERE chain = $1 AND network = $2 AND look_at <= pharos_now())
         OR EXISTS (SELECT 1 FROM commitments WHERE chain = $1 AND network = $2 AND ${FROM_LATER}) AS due`,
    [chain, network, LONGEST_WAIT_MS],
  )
  return due
}

const FROM_LATER = `look_at > pharos_now() + $3 * interval '1 millisecond'`

/** For whoever holds the lease, before anything is looked at: what stands in the future is now. Index: commitments_due. */
export async function followClockBack(
  { em }: { em: EntityManager },
  { chain, network }: Series,
): Promise<void> {
  const moved = await rows<{ id: string }>(
    em,
    `UPDATE commitments SET look_at = pharos_now() WHERE chain = $1 AND network = $2 AND ${FROM_LATER} RETURNING id`,
    [chain, network, LONGEST_WAIT_MS],
  )
  if (moved.length === 0) return
  await change(
    em,
    'UPDATE commitment_transactions SET sent_at = pharos_now() WHERE commitment_id = ANY($1::text[]) AND sent_at > pharos_now()',
    [moved.map(({ id }) => id)],
  )
}

const confirmedOf = ({ state, transaction_hash, block_hash }: CommitmentRow): DueCommitment['confirmed'] =>
  state !== 'confirmed' || transaction_hash === null
    ? undefined
    : {
        transactionHash: toHex(transaction_hash),
        blockHash: block_hash === null ? null : toHex(block_hash),
      }
