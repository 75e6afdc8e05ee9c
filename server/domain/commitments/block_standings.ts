// How far a block has come on each public chain, for the wait that a refused proof tells.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { bool, float8, nullable } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import { FIRST_HEIGHT } from './close_epoch.ts'

export type BlockStanding = RowFrom<typeof STANDINGS>

/**
 * Returns one standing for each of these chains. Of a chain with several networks the one that answered last counts,
 * unless it passes the block over and another one has it. Indexes: blocks_pkey, blocks_height_key, epoch_series_pkey,
 * epochs_chain_network_sequence_key, epochs_holding, commitments_epoch_id_key, commitment_transactions_pkey.
 */
export const blockStandings = (
  { em }: { em: EntityManager },
  asked: { readonly blockId: string; readonly chains: readonly ChainName[] },
): Promise<readonly BlockStanding[]> => rows(em, STANDINGS(asked))

const STANDINGS = statement(
  {
    chain: TABLES.commitments.chain,
    /** The first epoch begins above the block. Epochs follow each other without a gap, so none will ever hold it. */
    passed_over: bool,
    /**
     * When the last transaction that the chain accepted for the block's epoch was made, or the epoch was closed while it
     * accepted none. Null while no epoch holds the block.
     */
    since_ms: nullable(float8),
  },
  ({ blockId, chains }: { blockId: string; chains: readonly ChainName[] }) => sql`
  SELECT DISTINCT ON (named.chain) named.chain,
         coalesce(first.first_block_id > b.id, b.height < ${FIRST_HEIGHT}) AS passed_over,
         unix_ms(coalesce(t.inserted_at, e.closed_at)) AS since_ms
    FROM (SELECT id, height FROM blocks WHERE id = ${blockId}) b
   CROSS JOIN (SELECT height FROM blocks ORDER BY height DESC LIMIT 1) head
   CROSS JOIN (SELECT DISTINCT chain COLLATE "C" AS chain FROM unnest(${chains}::text[]) AS chain) named
    LEFT JOIN LATERAL (SELECT network, row_number() OVER (ORDER BY answered_at DESC NULLS LAST, network) AS place
                         FROM epoch_series WHERE chain = named.chain) s ON true
    LEFT JOIN LATERAL (SELECT first_block_id FROM epochs
                        WHERE chain = named.chain AND network = s.network ORDER BY sequence LIMIT 1) first ON true
    LEFT JOIN LATERAL (SELECT id, first_block_id, closed_at FROM epochs
                        WHERE chain = named.chain AND network = s.network AND last_block_id >= b.id
                        ORDER BY last_block_id LIMIT 1) e ON e.first_block_id <= b.id
    LEFT JOIN commitments c ON c.epoch_id = e.id
    LEFT JOIN LATERAL (SELECT inserted_at FROM commitment_transactions
                        WHERE commitment_id = c.id AND sent_at IS NOT NULL
                        ORDER BY number DESC LIMIT 1) t ON true
   WHERE coalesce(s.place, 1) = 1 OR e.id IS NOT NULL
   ORDER BY named.chain, passed_over, s.place`,
)
