// Reads entries of the public log, which are made of the rows of blocks.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { blockComposite } from '../../../shared/log/block_composite.ts'
import { entryBytes } from '../../../shared/log/log_entry.ts'
import { TILE_WIDTH } from '../../../shared/log/tile_reader.ts'
import { bytes, int4, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'

/**
 * The entries from `from` up to, not including, `to`, at most 256 of them; fewer when the ledger ends before. Makes one
 * statement. Index: blocks_height_key.
 */
export async function entryRows(
  { em }: { em: EntityManager },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Uint8Array[]> {
  if (to - from > TILE_WIDTH) throw new RangeError(`at most ${TILE_WIDTH} entries are read at once`)
  return (await rows(em, BLOCKS({ from, to }))).map((block, at) => {
    if (block.height !== from + at) throw new Error(`The ledger has no block ${from + at}.`)
    return entryOf(block)
  })
}

const entryOf = (block: RowFrom<typeof BLOCKS>): Uint8Array =>
  entryBytes({
    composite: blockComposite({
      id: block.id,
      previousBlockHash: block.previous_block_hash,
      merkleRoot: block.merkle_root,
      metadataHash: block.metadata_hash,
      keyId: block.signing_key_id,
    }),
    signature: block.signature,
    metadata: block.metadata,
  })

const BLOCKS = statement(
  {
    height: int4,
    id: text,
    previous_block_hash: bytes,
    merkle_root: bytes,
    metadata_hash: bytes,
    signing_key_id: bytes,
    signature: bytes,
    metadata: text,
  },
  ({ from, to }: { from: number; to: number }) => sql`
  SELECT height, id, previous_block_hash, merkle_root, metadata_hash, signing_key_id, signature, metadata
    FROM blocks WHERE height >= ${from} AND height < ${to} ORDER BY height`,
)
