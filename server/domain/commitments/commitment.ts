// A commitment: the root of an epoch that is being written to a public chain, and how many are not confirmed yet.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { CHAIN_NAMES } from '../../../shared/proof/public_chains.ts'
import { int4, oneOf } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

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

const UNCONFIRMED = ['pending', 'submitted', 'failed'] as const satisfies readonly CommitmentState[]

/**
 * Counts every state except `confirmed`. That state only grows, and counting it would read the whole history. Index:
 * commitments_state.
 */
export async function unconfirmedCommitments({
  em,
}: {
  em: EntityManager
}): Promise<readonly { readonly state: CommitmentState; readonly count: number }[]> {
  return rows(em, COUNTS)
}

const COUNTS = statement(
  { state: oneOf(...UNCONFIRMED), count: int4 },
  sql`
  SELECT wanted.state, (SELECT count(*)::int FROM commitments AS c WHERE c.state = wanted.state COLLATE "C") AS count
    FROM unnest(${[...UNCONFIRMED]}::text[]) AS wanted (state)`,
)
