// One visit to a public chain: closes the epoch that is due, one tree over the blocks since the last one, with a pending
// commitment; takes every due commitment one step further; and notes for monitoring why a chain cannot be used now.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { causes, errorCode } from '../../kernel/error_code.ts'
import { uuid7From } from '../../kernel/identifiers.ts'
import { step } from '../../kernel/step.ts'
import { bool, float8, int4, nullable } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { change, command, db, inTransaction, row, statement } from '../../store/statement.ts'
import { type AtWork, advanceCommitment, type CommitParts } from './advance_commitment.ts'
import { ChainUnreachable, type Unusable } from './chains/chain.ts'
import { lookLater } from './record_try.ts'
import {
  type DueCommitment,
  dueCommitments,
  isCommitmentDue,
  leaveSeries,
  lockSeries,
  moveCommitmentsBack,
  paceOf,
  type Series,
  takeLease,
} from './series.ts'

export type Epoch = LegibleRow<PlainRow<typeof RELATIONS.epochs>>

export const epochOf = legibleRow(RELATIONS.epochs)

interface ClosingOrder extends Series {
  /** The length of a slot in milliseconds. Slots are aligned to the clock. */
  readonly intervalMs: number
}

type ClosedEpoch = NonNullable<Awaited<ReturnType<typeof closeEpoch>>>

/**
 * The maximum number of blocks in an epoch: a week of one-minute blocks, about 30 ms of work for a proof. Further
 * blocks go into the next epoch. A new series on a longer ledger begins at the head. On a shorter ledger it begins at
 * genesis and so includes the first key event.
 */
const MOST_BLOCKS = 10_000

/** Where a new series begins while `head` is the newest block. */
export const FIRST_HEIGHT = sql`CASE WHEN head.height < ${sql.lit(MOST_BLOCKS)} THEN 0 ELSE head.height END`

/**
 * Returns undefined when no epoch is due: the slot already has its epoch, there is no new block, or the chain has not
 * accepted the transaction of the last epoch yet. Safe to call from several servers at once, because it locks the
 * series.
 */
export function closeEpoch(em: EntityManager, order: ClosingOrder) {
  return inTransaction(em, async (tx) => {
    await lockSeries(tx, order)
    const standing = await row(tx, CLOSING(order))
    if (!standing.due || standing.first_height === null) return undefined
    const blocks = await db(tx)
      .selectFrom('blocks')
      .select(['id', 'block_hash'])
      .where('height', '>=', standing.first_height)
      .orderBy('height')
      .limit(MOST_BLOCKS)
      .execute()
    const first = blocks[0]
    const last = blocks.at(-1)
    if (first === undefined || last === undefined) return undefined
    const root = Buffer.from(merkleRoot(blocks.map(({ block_hash }) => block_hash)))
    const { now_ms: nowMs, sequence } = standing
    const id = uuid7From(nowMs, randomBytes(10))
    // Commit point: the epoch and its commitment are stored together or not at all.
    const epoch = {
      ...order,
      id,
      sequence,
      root,
      first: first.id,
      last: last.id,
      count: blocks.length,
      nowMs,
    }
    await change(tx, INSERT_EPOCH({ ...epoch, commitmentId: uuid7From(nowMs, randomBytes(10)) }))
    return { id, sequence, root, blocks: blocks.length }
  })
}

/** Returns whether `closeEpoch` would close an epoch, without taking a lock. */
export const epochDue = async (em: EntityManager, order: ClosingOrder): Promise<boolean> =>
  (await row(em, CLOSING(order))).due

/**
 * Decides whether an epoch is due. Slots are counted from the last closing, or from the first block of a new series.
 * While the chain has not accepted the transaction of an earlier epoch, no epoch is closed. So an outage ends with
 * one epoch and not with one per slot, and at most one transaction at a time is unknown to its chain. A full epoch is
 * followed at once by the next. Indexes: epochs_chain_network_sequence_key, commitments_unconfirmed,
 * blocks_height_key.
 */
const CLOSING = statement(
  {
    now_ms: float8,
    /** The sequence number of the epoch to be closed. */
    sequence: int4,
    first_height: nullable(int4),
    due: bool,
  },
  ({ chain, network, intervalMs }: ClosingOrder) => sql`
  SELECT unix_ms(now.at) AS now_ms, coalesce(last.sequence + 1, 0) AS sequence, first.height AS first_height,
         first.id IS NOT NULL
         AND (floor(unix_ms(now.at) / ${intervalMs}::float8) <> floor(unix_ms(coalesce(last.closed_at, first.finalized_at)) / ${intervalMs}::float8)
              OR coalesce(last.block_count >= ${sql.lit(MOST_BLOCKS)}, false))
         AND NOT EXISTS (SELECT 1 FROM commitments
                          WHERE chain = ${chain} AND network = ${network} AND state <> 'confirmed' AND state <> 'submitted') AS due
    FROM (SELECT pharos_now() AS at) now
   CROSS JOIN (SELECT id, height FROM blocks ORDER BY height DESC LIMIT 1) head
    LEFT JOIN (SELECT e.sequence, e.closed_at, e.block_count, b.height AS last_height
                 FROM epochs e JOIN blocks b ON b.id = e.last_block_id
                WHERE e.chain = ${chain} AND e.network = ${network} ORDER BY e.sequence DESC LIMIT 1) last ON true
    LEFT JOIN blocks first
      ON first.height = coalesce(last.last_height + 1, ${FIRST_HEIGHT})`,
)

interface NewEpoch extends Series {
  readonly id: string
  readonly sequence: number
  readonly root: Buffer
  readonly first: string
  readonly last: string
  readonly count: number
  readonly nowMs: number
  readonly commitmentId: string
}

const INSERT_EPOCH = command(
  (made: NewEpoch) => sql`
  WITH closed AS (
    INSERT INTO epochs (id, chain, network, sequence, root, first_block_id, last_block_id, block_count, closed_at)
    VALUES (${made.id}, ${made.chain}, ${made.network}, ${made.sequence}, ${made.root}, ${made.first}, ${made.last},
            ${made.count}, from_unix_ms(${made.nowMs}))
    RETURNING id, chain, network, root, closed_at)
  INSERT INTO commitments (id, epoch_id, chain, network, state, epoch_root, signing_key_id, look_at, inserted_at, updated_at)
  SELECT ${made.commitmentId}, id, chain, network, 'pending', root,
         (SELECT key_id FROM signing_keys WHERE introduced_at_height IS NOT NULL ORDER BY sequence DESC LIMIT 1),
         closed_at, closed_at, closed_at
    FROM closed`,
)

/** Returns true when the trouble is new: the chain worked before, or failed for another reason. */
export async function noteTrouble(em: EntityManager, chain: ChainName, why: Unusable): Promise<boolean> {
  const written = await db(em)
    .insertInto('chain_troubles')
    .values({ chain, why })
    .onConflict((known) => known.column('chain').doUpdateSet({ why }).where('chain_troubles.why', '<>', why))
    .executeTakeFirst()
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Returns true when the chain was in trouble. */
async function endTrouble(em: EntityManager, chain: ChainName): Promise<boolean> {
  const ended = await db(em).deleteFrom('chain_troubles').where('chain', '=', chain).executeTakeFirst()
  return ended.numDeletedRows > 0n
}

interface Visit {
  /** The length of an epoch's slot in milliseconds. */
  readonly intervalMs: number
  /** The holder of the lease. One name per server and chain, constant while the server runs. */
  readonly holder: string
  /**
   * True while the server stops. Errors are then not recorded as trouble of the chain, because the server closed the
   * connections itself.
   */
  readonly stopping?: () => boolean
}

/**
 * `busy` means that another server is visiting the chain. `unreachable` means that the chain did not answer; the next
 * visit continues.
 */
export type VisitOutcome = 'nothing_due' | 'busy' | 'visited' | 'unreachable'

const COMMITMENTS_PER_PAGE = 50

/**
 * May be called at any time, any number of times, by any number of servers. Commitments of one series are handled one
 * after the other, so two transactions are never made at once from one wallet or one sequence number. Inputs are not
 * locked in between, because only one signed transaction at a time is not yet accepted by its chain, and because a
 * lock would remain after a crash of the server.
 */
export async function commitEpochs(
  parts: CommitParts,
  { intervalMs, holder, stopping }: Visit,
): Promise<VisitOutcome> {
  const { em, chain } = parts
  let network: string
  try {
    network = await chain.network()
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error
    if (stopping?.() !== true) await away(parts, error)
    return 'unreachable'
  }
  const series: Series = { chain: chain.name, network }
  const order = { ...series, intervalMs }
  const due = (await isCommitmentDue(em(), series)) || (await epochDue(em(), order))
  if (!due) return 'nothing_due'
  if (!(await takeLease(em(), series, holder))) return 'busy'
  let unreachable: ChainUnreachable | undefined
  try {
    await moveCommitmentsBack(em(), series)
    const closed = await closeEpoch(em(), order)
    if (closed !== undefined) logClosed(parts, series, closed)
    unreachable = await advanceAll({ ...parts, series, pace: paceOf(chain.name, network) }, holder)
  } finally {
    await leaveSeries(em(), series, { holder, answered: unreachable === undefined })
  }
  if (unreachable === undefined) await usable(parts)
  else if (stopping?.() !== true) await away(parts, unreachable)
  return unreachable === undefined ? 'visited' : 'unreachable'
}

/** Records that the chain answered. */
export async function usable({ em, chain, log }: CommitParts): Promise<void> {
  if (await endTrouble(em(), chain.name)) log.info({ chain: chain.name }, 'chain.back')
}

async function away({ em, chain, log }: CommitParts, error: ChainUnreachable): Promise<void> {
  const isNews = await noteTrouble(em(), chain.name, error.why)
  const { why, message: reason } = error
  // The error code of the operating system, such as `ECONNREFUSED`.
  const cause = causes(error).map(errorCode).find(Boolean)
  if (isNews) log.warn({ chain: chain.name, why, reason, cause }, 'chain.away')
}

/** Returns the error when the chain could not be reached. The next visit handles the remaining commitments. */
async function advanceAll(parts: AtWork, holder: string): Promise<ChainUnreachable | undefined> {
  const { em, series } = parts
  const seen = new Set<string>()
  for (;;) {
    const page = await dueCommitments(em(), series, COMMITMENTS_PER_PAGE)
    const fresh = page.filter(({ id, state }) => !seen.has(`${id} ${state}`))
    if (fresh.length === 0) return undefined
    for (const commitment of fresh) {
      seen.add(`${commitment.id} ${commitment.state}`)
      if (!(await takeLease(em(), series, holder))) return undefined
      try {
        await step('commit', () => advanceCommitment(parts, commitment), {
          describe: () => ({ facts: { 'pharos.chain': parts.chain.name } }),
        })
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        await notReached(parts, commitment, error.message)
        return error
      }
    }
  }
}

/** The public text. The address of the node and the details of the failure are only logged. */
const NOT_REACHED = 'the chain could not be reached'

/** The effect of the failed call is unknown, so only the time of the next look and the error text change. */
async function notReached(parts: AtWork, { id, epochId }: DueCommitment, reason: string): Promise<void> {
  await lookLater(parts.em(), id, { lookMs: parts.pace.retry, error: NOT_REACHED })
  parts.log.warn({ ...parts.series, commitment_id: id, epoch_id: epochId, reason }, 'chain.unreachable')
}

const logClosed = ({ log }: CommitParts, series: Series, { id, sequence, root, blocks }: ClosedEpoch): void =>
  log.info({ ...series, epoch_id: id, sequence, root: root.toString('hex'), blocks }, 'epoch.closed')
