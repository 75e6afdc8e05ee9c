// Reads the commitments that are due, each with every transaction that was ever signed for it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { toHex } from '../../../shared/proof/bytes.ts'
import { bool, bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, row, rows } from '../../store/run.ts'
import { command, type RowFrom, statement } from '../../store/statement.ts'
import type { PreparedTransaction } from './chains/chain.ts'
import type { CommitmentState } from './commitment.ts'
import { LONGEST_WAIT_MS, type Series } from './series.ts'

export interface TriedTransaction extends PreparedTransaction {
  /** The first transaction has number 1. */
  readonly number: number
  /** Milliseconds since it was signed. */
  readonly ageMs: number
  /** Milliseconds since the chain last accepted it. Null when it never did. */
  readonly sentMs: number | null
}

export interface DueCommitment {
  readonly id: string
  readonly state: CommitmentState
  readonly epochId: string
  readonly epochRoot: Uint8Array
  readonly attempts: number
  readonly error: string | null
  /**
   * Set when the commitment is confirmed: the hash of the confirmed transaction (64 hex digits) and of its Bitcoin
   * block.
   */
  readonly confirmed: { readonly transactionHash: string; readonly blockHash: string | null } | undefined
  /** Newest first. */
  readonly tried: readonly TriedTransaction[]
}

/** Returns at most `limit` commitments, longest wait first. Makes two queries. Index: commitments_due. */
export async function dueCommitments(
  em: EntityManager,
  { chain, network }: Series,
  limit: number,
): Promise<DueCommitment[]> {
  const due = await rows(em, DUE({ chain, network, limit }))
  if (due.length === 0) return []
  const tried = await rows(em, TRIED({ ids: due.map(({ id }) => id) }))
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
 * Returns whether any commitment is due. A commitment whose next look lies impossibly far in the future is due too,
 * because the database's clock was set back after that time was written. Reads the index commitments_due twice.
 */
export async function isCommitmentDue(em: EntityManager, { chain, network }: Series): Promise<boolean> {
  const { due } = await row(em, IS_DUE({ chain, network }))
  return due
}

const FROM_LATER = sql`look_at > pharos_now() + ${sql.lit(LONGEST_WAIT_MS)} * interval '1 millisecond'`

const DUE = statement(
  {
    id: text,
    state: TABLES.commitments.state,
    epoch_id: text,
    epoch_root: bytes,
    attempts: int4,
    error: nullable(text),
    transaction_hash: nullable(bytes),
    block_hash: nullable(bytes),
  },
  ({ chain, network, limit }: Series & { limit: number }) => sql`
  SELECT c.id, c.state, c.epoch_id, c.epoch_root, c.attempts, c.error, c.transaction_hash, v.block_hash
    FROM commitments c LEFT JOIN commitment_evidence v ON v.commitment_id = c.id
   WHERE c.chain = ${chain} AND c.network = ${network} AND c.look_at <= pharos_now()
   ORDER BY c.look_at LIMIT ${limit}`,
)

const TRIED = statement(
  {
    commitment_id: text,
    number: int4,
    transaction_hash: bytes,
    bytes: bytes,
    age_ms: float8,
    sent_ms: nullable(float8),
  },
  ({ ids }: { ids: readonly string[] }) => sql`
  SELECT commitment_id, number, transaction_hash, bytes, unix_ms(pharos_now()) - unix_ms(inserted_at) AS age_ms,
         unix_ms(pharos_now()) - unix_ms(sent_at) AS sent_ms
    FROM commitment_transactions WHERE commitment_id = ANY(${ids}::text[]) ORDER BY number DESC`,
)

const IS_DUE = statement(
  { due: bool },
  ({ chain, network }: Series) => sql`
  SELECT EXISTS (SELECT 1 FROM commitments WHERE chain = ${chain} AND network = ${network} AND look_at <= pharos_now())
      OR EXISTS (SELECT 1 FROM commitments WHERE chain = ${chain} AND network = ${network} AND ${FROM_LATER}) AS due`,
)

const MOVE_BACK = statement(
  { id: text },
  ({ chain, network }: Series) => sql`
  UPDATE commitments SET look_at = pharos_now()
   WHERE chain = ${chain} AND network = ${network} AND ${FROM_LATER} RETURNING id`,
)

const SENT_NOW = command(
  ({ ids }: { ids: readonly string[] }) => sql`
  UPDATE commitment_transactions SET sent_at = pharos_now()
   WHERE commitment_id = ANY(${ids}::text[]) AND sent_at > pharos_now()`,
)

/**
 * Repairs times that lie in the future because the database's clock was set back. The holder of the lease must call
 * this before it reads due commitments. Index: commitments_due.
 */
export async function moveCommitmentsBack(em: EntityManager, { chain, network }: Series): Promise<void> {
  const moved = await rows(em, MOVE_BACK({ chain, network }))
  if (moved.length === 0) return
  await change(em, SENT_NOW({ ids: moved.map(({ id }) => id) }))
}

const confirmedOf = ({
  state,
  transaction_hash,
  block_hash,
}: RowFrom<typeof DUE>): DueCommitment['confirmed'] =>
  state !== 'confirmed' || transaction_hash === null
    ? undefined
    : {
        transactionHash: toHex(transaction_hash),
        blockHash: block_hash === null ? null : toHex(block_hash),
      }
