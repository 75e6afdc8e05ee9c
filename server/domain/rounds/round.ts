// A round: one item that stands for the digests, or for the time-stamp tokens, that arrived together.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ROUND_CREATOR_ID } from '../../../shared/wire/rounds.ts'
import { float8, int4, text } from '../../store/columns.ts'
import { preparedStatement, rows } from '../../store/statement.ts'

/** The two never stand in one round, because of a round of tokens each leaf is kept. */
export type RoundKind = 'digests' | 'tokens'

/** Entries of one round, with its own first one. */
export const MOST_ENTRIES = 65_536

/** Nobody can sign in to this account, no list has it, and plans do not count what it makes. See `prepare_rounds.ts`. */
export const ROUND_ACCOUNT = {
  creatorId: ROUND_CREATOR_ID,
  teamId: '00000000-0000-7000-8001-726f756e6473',
} as const

interface KnownRound {
  readonly number: number
  readonly itemId: string
  /** Entries, with the round's own. */
  readonly size: number
}

/** Index: aggregation_rounds_root_key. */
export async function roundByRoot(em: EntityManager, root: Uint8Array): Promise<KnownRound | undefined> {
  const [found] = await rows(em, BY_ROOT({ root }))
  return found && { number: found.number, itemId: found.item_id, size: found.size }
}

const BY_ROOT = preparedStatement(
  { number: float8, item_id: text, size: int4 },
  ({ root }: { root: Uint8Array }) => sql`
  SELECT number::float8 AS number, item_id, size FROM aggregation_rounds WHERE root = ${root}`,
)
