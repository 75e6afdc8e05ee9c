// An epoch's root on its way to a public chain.
import { CHAIN_NAMES } from '../../../shared/proof/public_chains.ts'
import { RELATIONS } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'

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

export type Commitment = PlainRow<typeof RELATIONS.commitments>

export const commitmentOf = rowReader(RELATIONS.commitments)
