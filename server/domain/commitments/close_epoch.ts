// Closes the next epoch of a series: it builds one tree over the blocks since the last epoch and stores a pending
// commitment.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { uuid7From } from '../../../shared/proof/ids.ts'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import { bool, float8, int4, nullable } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { change, db, inTransaction, row } from '../../store/run.ts'
import { command, type RowFrom, statement } from '../../store/statement.ts'
import { lockSeries, type Series } from './series.ts'

export type Epoch = LegibleRow<PlainRow<typeof RELATIONS.epochs>>

export const epochOf = legibleRow(RELATIONS.epochs)

export interface ClosingOrder extends Series {
  /** The length of a slot in milliseconds. Slots are aligned to the clock. */
  readonly intervalMs: number
}

export interface ClosedEpoch {
  readonly id: string
  readonly sequence: number
  readonly root: Buffer
  readonly blocks: number
}

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
export function closeEpoch(em: EntityManager, order: ClosingOrder): Promise<ClosedEpoch | undefined> {
  return inTransaction(em, async (tx) => {
    await lockSeries(tx, order)
    const standing = await readClosing(tx, order)
    if (!standing.due) return undefined
    if (standing.first_height === null) return undefined
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
      id,
      chain: order.chain,
      network: order.network,
      sequence,
      root,
      first: first.id,
      last: last.id,
      count: blocks.length,
      nowMs,
      commitmentId: uuid7From(nowMs, randomBytes(10)),
    }
    await change(tx, INSERT_EPOCH(epoch))
    return { id, sequence, root, blocks: blocks.length }
  })
}

/** Returns whether `closeEpoch` would close an epoch, without taking a lock. */
export const epochDue = async (em: EntityManager, order: ClosingOrder): Promise<boolean> =>
  (await readClosing(em, order)).due

const readClosing = (
  em: EntityManager,
  { chain, network, intervalMs }: ClosingOrder,
): Promise<RowFrom<typeof CLOSING>> => row(em, CLOSING({ chain, network, intervalMs }))

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

interface NewEpoch {
  readonly id: string
  readonly chain: string
  readonly network: string
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
