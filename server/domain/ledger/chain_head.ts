// Reads what the next block is made on: the database's time, the head, the newest subject, the current key, and whether
// a rotation waits.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { row } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'

export type ChainHead = RowFrom<typeof CHAIN_HEAD>

/**
 * One query in one snapshot. Throws before there is a genesis. Indexes: blocks_height_key, signing_keys_sequence_key,
 * items_pkey, entropy_observations_pkey.
 */
export const readChainHead = ({ em }: { em: EntityManager }): Promise<ChainHead> => row(em, CHAIN_HEAD)

/**
 * Times are Unix milliseconds; that of the head is the time in its id. That of the newest item or observation is null
 * before there is any; one that is later than the head is in no block, because no block holds what is later than itself.
 */
const CHAIN_HEAD = statement(
  {
    now_ms: float8,
    id: text,
    height: int4,
    hash: bytes,
    time_ms: float8,
    newest_ms: nullable(float8),
    key_id: bytes,
    rotates: bool,
  },
  sql`
  SELECT unix_ms(pharos_now()) AS now_ms, head.id, head.height, head.block_hash AS hash,
         unix_ms(head.finalized_at) AS time_ms,
         unix_ms(greatest((SELECT inserted_at FROM items ORDER BY id DESC LIMIT 1),
                          (SELECT inserted_at FROM entropy_observations ORDER BY id DESC LIMIT 1))) AS newest_ms,
         current.key_id,
         EXISTS (SELECT FROM signing_keys WHERE introduced_at_height IS NULL AND rotation IS NOT NULL) AS rotates
    FROM (SELECT id, height, block_hash, finalized_at FROM blocks ORDER BY height DESC LIMIT 1) AS head
   CROSS JOIN (SELECT key_id FROM signing_keys WHERE introduced_at_height IS NOT NULL
                ORDER BY sequence DESC LIMIT 1) AS current`,
)
