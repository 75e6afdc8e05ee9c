// A run of blocks of one public chain's series, gathered under one root.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const Epoch = defineEntity({
  name: 'Epoch',
  tableName: 'epochs',
  properties: {
    id: p.string().primary(),
    chain: p.string(),
    network: p.string(),
    sequence: p.integer(),
    root: p.blob(),
    firstBlockId: p.string(),
    lastBlockId: p.string(),
    blockCount: p.integer(),
    closedAt: p.datetime(3),
  },
})

export type Epoch = InferEntity<typeof Epoch>
