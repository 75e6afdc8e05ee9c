// How many epochs are on their way to a public chain, for whoever watches that they arrive.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'
import type { CommitmentState } from './commitment.ts'

const UNCONFIRMED = ['pending', 'submitted', 'failed'] as const satisfies readonly CommitmentState[]

/** Each state but `confirmed`, which only grows: counting it would read the whole history. Index: commitments_state. */
export async function unconfirmedCommitments({
  em,
}: {
  em: EntityManager
}): Promise<{ readonly state: CommitmentState; readonly count: number }[]> {
  return rows(
    em,
    `SELECT wanted.state, (SELECT count(*)::int FROM commitments AS c WHERE c.state = wanted.state COLLATE "C") AS count
       FROM unnest($1::text[]) AS wanted (state)`,
    [[...UNCONFIRMED]],
  )
}
