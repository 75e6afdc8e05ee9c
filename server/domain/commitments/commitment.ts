// An epoch's root on its way to a public chain.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { CHAIN_NAMES } from '../../../shared/proof/public_chains.ts'

/** Characters of the name of a chain, and of a network of it. */
export const CHAIN_NAME_LENGTH = 32

/** For people: '`bitcoin` or `stellar`.' */
export const CHAIN_WORDS = `${CHAIN_NAMES.toSorted()
  .map((name) => `\`${name}\``)
  .join(' or ')}.`

/**
 * `pending`: no transaction was taken by the chain yet. `submitted`: one was. `confirmed`: one is in a block that counts.
 * `failed`: the chain refused the last try; it is tried again, and somebody should look.
 */
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
    /** The key current when the commitment was made. */
    signingKeyId: p.blob(),
    transactionHash: p.blob().nullable(),
    commitmentHash: p.blob().nullable(),
    ledger: p.integer().nullable(),
    blockHeight: p.integer().nullable(),
    confirmedAt: p.datetime(3).nullable(),
    attempts: p.integer(),
    error: p.text().nullable(),
    /** When it is somebody's turn to see to it again; null once it needs nobody any more. */
    lookAt: p.datetime(3).nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type Commitment = InferEntity<typeof Commitment>
