// Blocks as they are stored, for those who check them, in order of height.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../../store/rows.ts'
import { exactMs } from './exact_ms.ts'

export interface BlockRow {
  readonly id: string
  readonly height: number
  readonly previous_block_id: string
  readonly previous_block_hash: Buffer
  readonly block_hash: Buffer
  readonly merkle_root: Buffer
  readonly metadata: string
  readonly metadata_hash: Buffer
  readonly signing_key_id: Buffer
  readonly signature: Buffer
  readonly state: string
  readonly leaf_count: number
  readonly item_count: number
  readonly observation_count: number
  readonly finalized_ms: number
  readonly committed: boolean
}

const BLOCKS_PER_PAGE = 250

/** The least int: a height below 0, which the schema refuses, is read too. */
const BELOW_ALL = -2_147_483_648

/** The head and its predecessor, head first; of genesis itself only. */
export const headRows = ({ em }: { em: EntityManager }): Promise<BlockRow[]> =>
  rows(em, `${SELECT} ORDER BY height DESC LIMIT 2`)

/**
 * Every block up to and including a height. Blocks are never changed in what is read here, so pages of different
 * moments belong together. Two of one height (which the schema refuses) come both. Index: blocks_height_key.
 */
export async function* blocksUpTo({ em }: { em: EntityManager }, height: number): AsyncGenerator<BlockRow> {
  for (let above = BELOW_ALL; ; ) {
    const page = await rows<BlockRow>(
      em,
      `${SELECT} WHERE height > $1 AND height <= $2 ORDER BY height FETCH FIRST ${BLOCKS_PER_PAGE} ROWS WITH TIES`,
      [above, height],
    )
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    above = last.height
  }
}

const SELECT = `
  SELECT id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash,
         signing_key_id, signature, state, leaf_count, item_count, observation_count,
         ${exactMs('finalized_at')} AS finalized_ms, committed_at IS NOT NULL AS committed
    FROM blocks`
