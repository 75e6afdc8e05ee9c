// A commitment: the root of an epoch that is being written to a public chain.
import { CHAIN_NAMES } from '../../../shared/proof/public_chains.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'

/** Maximum length in characters of the name of a chain and of a network. */
export const CHAIN_NAME_LENGTH = 32

/** Text for people: '`bitcoin` or `stellar`.' */
export const CHAIN_WORDS = `${CHAIN_NAMES.toSorted()
  .map((name) => `\`${name}\``)
  .join(' or ')}.`

/**
 * `pending`: the chain has not accepted a transaction yet. `submitted`: it has accepted one. `confirmed`: a deep
 * enough block contains one. `failed`: the chain refused the last try. A failed commitment is tried again, but an
 * operator should look at the reason.
 */
export const COMMITMENT_STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const
export type CommitmentState = (typeof COMMITMENT_STATES)[number]

export type Commitment = LegibleRow<PlainRow<typeof RELATIONS.commitments>>

export const commitmentOf = legibleRow(RELATIONS.commitments)
