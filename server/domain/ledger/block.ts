// One link of the chain: a Merkle root over its subjects, tied to the block before it and signed.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'

export const BLOCK_STATES = ['finalized', 'committed'] as const
export type BlockState = (typeof BLOCK_STATES)[number]

/** Genesis has height 0 and is its own predecessor. `metadata` is canonical JSON text. */
export const Block = defineEntity({
  name: 'Block',
  tableName: 'blocks',
  properties: {
    id: p.string().primary(),
    height: p.integer(),
    previousBlockId: p.string(),
    previousBlockHash: p.blob(),
    blockHash: p.blob(),
    merkleRoot: p.blob(),
    metadata: p.text(),
    metadataHash: p.blob(),
    signingKeyId: p.blob(),
    signature: p.blob(),
    state: p.string().$type<BlockState>(),
    leafCount: p.integer(),
    itemCount: p.integer(),
    observationCount: p.integer(),
    finalizedAt: p.datetime(3),
    committedAt: p.datetime(3).nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type Block = InferEntity<typeof Block>

/**
 * When each of these blocks was first committed to a public chain; blocks that are not are left out. A proof of what is
 * in a block can be had from then on, so the items need no time of their own, which would have to be written to each.
 */
export async function blocksCommittedAt(
  { em }: { em: EntityManager },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (ids.length === 0) return new Map()
  const found = await rows<{ id: string; committed_at: string }>(
    em,
    'SELECT id, iso_time(committed_at) AS committed_at FROM blocks WHERE id = ANY($1::text[]) AND committed_at IS NOT NULL',
    [[...new Set(ids)]],
  )
  return new Map(found.map(({ id, committed_at }) => [id, new Date(committed_at)]))
}
