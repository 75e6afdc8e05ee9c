// One link of the chain: a Merkle root over its subjects, tied to the block before it and signed.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

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
