// An epoch's root on its way to a public chain.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const COMMITMENT_STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const
export type CommitmentState = (typeof COMMITMENT_STATES)[number]

export const Commitment = defineEntity({
  name: 'Commitment',
  tableName: 'commitments',
  properties: {
    id: p.string().primary(),
    epochId: p.string(),
    chain: p.string(),
    network: p.string(),
    state: p.string().$type<CommitmentState>(),
    epochRoot: p.blob(),
    transactionHash: p.blob().nullable(),
    commitmentHash: p.blob().nullable(),
    ledger: p.integer().nullable(),
    blockHeight: p.integer().nullable(),
    confirmedAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    error: p.text().nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type Commitment = InferEntity<typeof Commitment>
