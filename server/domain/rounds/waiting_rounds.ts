// How long rounds wait for the public chains, for monitoring.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { type ChainName, isChainName } from '../../../shared/proof/public_chains.ts'
import { ulidFloor } from '../../kernel/identifiers.ts'
import { float8, int4, nullable, text } from '../../store/columns.ts'
import { rows, statement } from '../../store/statement.ts'
import { FIRST_HEIGHT } from '../commitments/commit_epochs.ts'

/** Milliseconds. No item commits so long after the time in its id. */
const LATEST_COMMIT_MS = 600_000

/**
 * Seconds since the oldest round that each of these chains has not confirmed, 0 when there is none. Rounds that it will
 * never hold, because its series begins above them, do not wait. Of a chain with several networks the one that answered
 * last counts.
 */
export async function waitingRoundAges(
  em: EntityManager,
  chains: readonly ChainName[],
): Promise<ReadonlyMap<ChainName, number>> {
  const ages = new Map<ChainName, number>()
  for (const { chain, height, block_ms, now_ms } of await rows(em, CONFIRMED({ chains }))) {
    const after = block_ms === null ? '' : ulidFloor(Math.max(0, block_ms - LATEST_COMMIT_MS))
    const [oldest] = await rows(em, OLDEST({ after, height: height ?? -1 }))
    const age = oldest === undefined ? 0 : Math.max(0, now_ms - ulidTime(oldest.item_id)) / 1_000
    if (isChainName(chain)) ages.set(chain, age)
  }
  return ages
}

/**
 * The newest block up to which nothing waits for the chain: it has confirmed every epoch, or passes over the blocks below
 * the first. Null before there is one. Indexes: epoch_series_pkey, commitments_unconfirmed,
 * epochs_chain_network_sequence_key, blocks_height_key, blocks_pkey.
 */
const CONFIRMED = statement(
  { chain: text, height: nullable(int4), block_ms: nullable(float8), now_ms: float8 },
  ({ chains }: { chains: readonly string[] }) => sql`
  SELECT named.chain, b.height, unix_ms(b.finalized_at) AS block_ms, unix_ms(pharos_now()) AS now_ms
    FROM (SELECT DISTINCT chain COLLATE "C" AS chain FROM unnest(${chains}::text[]) AS chain) named
   CROSS JOIN (SELECT id, height FROM blocks ORDER BY height DESC LIMIT 1) head
    JOIN blocks beginning ON beginning.height = ${FIRST_HEIGHT}
    LEFT JOIN LATERAL (
      SELECT * FROM epoch_series WHERE chain = named.chain ORDER BY answered_at DESC NULLS LAST LIMIT 1) s ON true
    LEFT JOIN LATERAL (
      SELECT min(e.first_block_id) AS first_block_id FROM commitments c JOIN epochs e ON e.id = c.epoch_id
       WHERE c.chain = s.chain AND c.network = s.network AND c.state <> 'confirmed') waiting ON true
    LEFT JOIN LATERAL (
      SELECT last_block_id FROM epochs WHERE chain = s.chain AND network = s.network
       ORDER BY sequence DESC LIMIT 1) newest ON true
    LEFT JOIN LATERAL (
      SELECT height, finalized_at FROM blocks
       -- Ids of blocks ascend, and no id has a tilde.
       WHERE id < coalesce(waiting.first_block_id, newest.last_block_id || '~', beginning.id)
       ORDER BY id DESC LIMIT 1) b ON true`,
)

/** The first round in no block up to this height. Indexes: aggregation_rounds_item_id_key, block_leaves_pkey. */
const OLDEST = statement(
  { item_id: text },
  ({ after, height }: { after: string; height: number }) => sql`
  SELECT r.item_id FROM aggregation_rounds r LEFT JOIN block_leaves l ON l.subject_id = r.item_id
   WHERE r.item_id > ${after} AND coalesce(l.height > ${height}, true)
   ORDER BY r.item_id LIMIT 1`,
)
