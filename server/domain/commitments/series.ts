// A series: all epochs for one public chain and network. One server at a time works on a series, at the pace of its chain:
// on the commitments that are due, each with every transaction that was ever signed for it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { toHex } from '../../../shared/proof/bytes.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { bool, bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, command, type RowFrom, row, rows, statement } from '../../store/statement.ts'

export interface Series {
  readonly chain: ChainName
  readonly network: string
}

/** If the server with the lease crashes, another one takes over after this time. */
export const LEASE_MS = 30_000

/**
 * Takes or renews the lease. Returns false while another server has it. The lease only avoids double work: a server
 * that slept past the end of its lease does no harm, because every step has its own guard. A lease that ends
 * impossibly late was written before the clock was set back and counts as ended.
 */
export const takeLease = async (em: EntityManager, series: Series, holder: string): Promise<boolean> =>
  (await change(em, TAKE({ ...series, holder }))) > 0

/** Releases the lease and records whether the chain answered. */
export const leaveSeries = (
  em: EntityManager,
  series: Series,
  end: { readonly holder: string; readonly answered: boolean },
): Promise<number> => change(em, LEAVE({ ...series, ...end }))

interface Held extends Series {
  readonly holder: string
}

const TAKE = command(
  ({ chain, network, holder }: Held) => sql`
  INSERT INTO epoch_series (chain, network, lease, leased_until)
  VALUES (${chain}, ${network}, ${holder}, pharos_now() + ${LEASE} * interval '1 millisecond')
  ON CONFLICT (chain, network) DO UPDATE SET lease = excluded.lease, leased_until = excluded.leased_until
   WHERE epoch_series.lease = excluded.lease OR epoch_series.leased_until <= pharos_now()
      OR epoch_series.leased_until > excluded.leased_until + ${LEASE} * interval '1 millisecond'`,
)

const LEASE = sql.lit(LEASE_MS)

const LEAVE = command(
  ({ chain, network, holder, answered }: Held & { answered: boolean }) => sql`
  UPDATE epoch_series
     SET leased_until = '-infinity', answered_at = CASE WHEN ${answered} THEN pharos_now() ELSE answered_at END
   WHERE chain = ${chain} AND network = ${network} AND lease = ${holder}`,
)

/** Locks the series until the transaction ends, by writing its row as it is. Only the closing of epochs uses this lock. */
export const lockSeries = (em: EntityManager, { chain, network }: Series): Promise<number> =>
  change(em, LOCK({ chain, network }))

const LOCK = command(
  ({ chain, network }: Series) => sql`
  INSERT INTO epoch_series (chain, network) VALUES (${chain}, ${network})
  ON CONFLICT (chain, network) DO UPDATE SET chain = excluded.chain`,
)

/** The time limits and intervals for a public chain. All values are milliseconds. */
export interface ChainPace {
  /** Time between two looks at a transaction that is not confirmed. */
  readonly look: number
  /** Delay after a refusal, or while the chain cannot be reached. */
  readonly retry: number
  /** A transaction that the chain accepted and no longer has is sent again after this time. */
  readonly resend: number
  /**
   * The first transaction is replaced when no block contains it after this time, the next one after twice this time,
   * and so on. A transaction that the chain accepted this long ago and whose input is gone is given up.
   */
  readonly replace: number
  /** How long a chain usually takes from the closing of an epoch to one confirmation. Only told, never waited for. */
  readonly confirm: number
  /** Time between two looks at a confirmed transaction that a reorganisation could still remove. */
  readonly watch: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PACES = {
  bitcoin: {
    ...{ look: 20 * SECOND, retry: MINUTE, resend: 5 * MINUTE, replace: 6 * HOUR },
    ...{ confirm: 10 * MINUTE, watch: 5 * MINUTE },
  },
  stellar: {
    ...{ look: 3 * SECOND, retry: 15 * SECOND, resend: 30 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 15 * SECOND, watch: MINUTE },
  },
  /** Short times, because blocks are made on request. */
  regtest: {
    ...{ look: SECOND, retry: 2 * SECOND, resend: 5 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 10 * SECOND, watch: MINUTE },
  },
} as const satisfies Record<ChainName | 'regtest', ChainPace>

export const paceOf = (chain: ChainName, network: string): ChainPace =>
  PACES[network === 'regtest' ? 'regtest' : chain]

/** The longest delay until the next look. A later time can only come from before the clock was set back. */
const LONGEST_WAIT_MS = Math.max(
  ...Object.values(PACES).flatMap(({ look, retry, watch }) => [look, retry, watch]),
)

export type DueCommitment = Awaited<ReturnType<typeof dueCommitments>>[number]

export type TriedTransaction = DueCommitment['tried'][number]

/** Returns at most `limit` commitments, longest wait first. Makes two queries. Index: commitments_due. */
export async function dueCommitments(em: EntityManager, { chain, network }: Series, limit: number) {
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
    /**
     * Set when the commitment is confirmed: the hash of the confirmed transaction (64 hex digits) and of its Bitcoin
     * block.
     */
    confirmed: confirmedOf(commitment),
    /** Every transaction that was signed for it, newest first. The first one had number 1. */
    tried: (byCommitment.get(commitment.id) ?? []).map((each) => ({
      number: each.number,
      transactionHash: toHex(each.transaction_hash),
      bytes: each.bytes,
      /** Milliseconds since it was signed. */
      ageMs: each.age_ms,
      /** Milliseconds since the chain last accepted it. Null when it never did. */
      sentMs: each.sent_ms,
    })),
  }))
}

/**
 * Returns whether any commitment is due. A commitment whose next look lies impossibly far in the future is due too,
 * because the database's clock was set back after that time was written. Reads the index commitments_due twice.
 */
export const isCommitmentDue = async (em: EntityManager, { chain, network }: Series): Promise<boolean> =>
  (await row(em, IS_DUE({ chain, network }))).due

const FROM_LATER = sql`look_at > pharos_now() + ${sql.lit(LONGEST_WAIT_MS)} * interval '1 millisecond'`

const DUE = statement(
  {
    id: text,
    state: TABLES.commitments.state,
    epoch_id: text,
    epoch_root: bytes,
    attempts: int4,
    transaction_hash: nullable(bytes),
    block_hash: nullable(bytes),
  },
  ({ chain, network, limit }: Series & { limit: number }) => sql`
  SELECT c.id, c.state, c.epoch_id, c.epoch_root, c.attempts, c.transaction_hash, v.block_hash
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

const MOVE_BACK = command(
  ({ chain, network }: Series) => sql`
  WITH moved AS (
    UPDATE commitments SET look_at = pharos_now()
     WHERE chain = ${chain} AND network = ${network} AND ${FROM_LATER} RETURNING id)
  UPDATE commitment_transactions SET sent_at = pharos_now()
   WHERE commitment_id IN (SELECT id FROM moved) AND sent_at > pharos_now()`,
)

/**
 * Repairs times that lie in the future because the database's clock was set back. The holder of the lease must call
 * this before it reads due commitments. Index: commitments_due.
 */
export const moveCommitmentsBack = (em: EntityManager, { chain, network }: Series): Promise<number> =>
  change(em, MOVE_BACK({ chain, network }))

const confirmedOf = ({ state, transaction_hash, block_hash }: RowFrom<typeof DUE>) =>
  state !== 'confirmed' || transaction_hash === null
    ? undefined
    : { transactionHash: toHex(transaction_hash), blockHash: block_hash && toHex(block_hash) }
