// Reads stored blocks in the order of their heights, for the audit and the check at start.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, float8, int4, nullable, type RowOf, text } from '../../../store/columns.ts'
import { pages, rows, type Sql, statement } from '../../../store/statement.ts'

/**
 * Not rounded, unlike `unix_ms`, so the audit finds a difference of half a millisecond. A double can hold
 * microseconds until the year 2255.
 */
export const exactMs = (column: string): Sql => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`

const BLOCK_ROW = {
  id: text,
  height: int4,
  previous_block_id: text,
  previous_block_hash: bytes,
  block_hash: bytes,
  merkle_root: bytes,
  metadata: text,
  metadata_hash: bytes,
  signing_key_id: bytes,
  signature: bytes,
  state: text,
  leaf_count: int4,
  item_count: int4,
  observation_count: int4,
  first_item_id: nullable(text),
  last_item_id: nullable(text),
  finalized_ms: float8,
  committed: bool,
}

export type BlockRow = RowOf<typeof BLOCK_ROW>

const BLOCKS_PER_PAGE = 250

/** The smallest int. The schema refuses heights below 0, but the audit must find such a row too. */
const BELOW_ALL = -2_147_483_648

/** The head and the block before it, head first. Only one row when the head is genesis. */
export const headRows = (em: EntityManager): Promise<readonly BlockRow[]> => rows(em, HEADS)

/**
 * Every block up to and including a height. The columns read here never change, so pages of different moments fit
 * together. The schema refuses two blocks of one height, but if there are two, both are returned. Index:
 * blocks_height_key.
 */
export async function* blocksUpTo(em: EntityManager, height: number): AsyncGenerator<BlockRow> {
  const page = (last: BlockRow | undefined) => PAGE({ above: last?.height ?? BELOW_ALL, height })
  for await (const blocks of pages(em, page)) yield* blocks
}

const SELECT = sql`
  SELECT id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash,
         signing_key_id, signature, state, leaf_count, item_count, observation_count, first_item_id, last_item_id,
         ${exactMs('finalized_at')} AS finalized_ms, committed_at IS NOT NULL AS committed
    FROM blocks`

const HEADS = statement(BLOCK_ROW, sql`${SELECT} ORDER BY height DESC LIMIT 2`)

const PAGE = statement(
  BLOCK_ROW,
  ({ above, height }: { above: number; height: number }) => sql`
  ${SELECT} WHERE height > ${above} AND height <= ${height}
   ORDER BY height FETCH FIRST ${sql.lit(BLOCKS_PER_PAGE)} ROWS WITH TIES`,
)
