// A new account: the user, the personal team, the membership. All or nothing.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDuplicate } from '../../store/database_faults.ts'
import { inTransaction, rows } from '../../store/rows.ts'
import type { Plan } from './plan.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly plan: Plan
}

const EMAIL = /^[^\s@\0]{1,64}@[^\s@\0]{1,190}$/
const NAME_LENGTH = 100

/** @throws invalid_argument for an address or name that is none, or an address that is taken. */
export async function createAccount(
  { em }: { em: EntityManager },
  { email, name, plan }: NewAccount,
): Promise<{ userId: string; teamId: string }> {
  if (!EMAIL.test(email))
    throw refuse('invalid_argument', { path: ['email'], detail: 'is not an e-mail address' })
  if (name.trim() === '' || name.includes('\0') || [...name].length > NAME_LENGTH)
    throw refuse('invalid_argument', { path: ['name'], detail: `has 1 to ${NAME_LENGTH} characters` })
  const userId = newUuid7()
  const teamId = newUuid7()
  try {
    await inTransaction(em, async (tx) => {
      await rows(tx, 'INSERT INTO users (id, email, name, plan) VALUES ($1, $2, $3, $4)', [
        userId,
        email.toLowerCase(),
        name,
        plan,
      ])
      await rows(tx, 'INSERT INTO teams (id, name, personal_user_id) VALUES ($1, $2, $3)', [
        teamId,
        name,
        userId,
      ])
      await rows(tx, `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'owner')`, [
        newUuid7(),
        teamId,
        userId,
      ])
    })
  } catch (error) {
    if (isDuplicate(error)) throw refuse('invalid_argument', { path: ['email'], detail: 'is taken' })
    throw error
  }
  return { userId, teamId }
}
