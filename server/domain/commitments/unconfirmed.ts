// Counts the epochs that are not confirmed yet, for monitoring.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { int4, oneOf } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import type { CommitmentState } from './commitment.ts'

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
