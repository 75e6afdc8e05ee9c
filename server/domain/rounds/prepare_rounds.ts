// Establishes what rounds need before anybody is served: the account that they belong to, and numbers that nobody had.
import type { EntityManager } from '@mikro-orm/postgresql'
import { db, inTransaction, NOW } from '../../store/statement.ts'
import { ROUND_ACCOUNT } from './round.ts'
import { liftRoundNumbers } from './round_numbers.ts'

/** Safe to repeat. */
export async function prepareRounds(em: EntityManager): Promise<void> {
  await inTransaction(em, makeAccount)
  await liftRoundNumbers(em)
}

/**
 * Without an address nobody signs in to it, and the database keeps it disabled. Without a membership it is in no list,
 * and nobody may change what belongs to its team.
 */
async function makeAccount(em: EntityManager): Promise<void> {
  const { creatorId, teamId } = ROUND_ACCOUNT
  await db(em)
    .insertInto('users')
    .values({ id: creatorId, first_name: NAME, plan: 'enterprise', disabled_at: NOW })
    .onConflict((known) => known.doNothing())
    .execute()
  await db(em)
    .insertInto('teams')
    .values({ id: teamId, name: NAME, personal_user_id: creatorId })
    .onConflict((known) => known.doNothing())
    .execute()
}

const NAME = 'Rounds'
