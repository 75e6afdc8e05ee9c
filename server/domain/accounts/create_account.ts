// Creates an account: the user, the personal team and the membership, in one transaction.

import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDuplicate } from '../../store/database_errors.ts'
import { db } from '../../store/run.ts'
import { inTransaction } from '../../store/transaction.ts'
import { makeOwner, TEAM_NAME_LENGTH } from './change_team.ts'
import { isEmail } from './email.ts'
import type { Plan } from './plan.ts'
import { fullName, NAME_LENGTH, type Names } from './user.ts'

export interface NewAccount extends Partial<Names> {
  readonly email: string
  readonly plan: Plan
}

/**
 * @param also what else belongs to the account, in the same transaction
 * @throws invalid_argument when the address or name is invalid, or the address is taken
 */
export async function createAccount(
  { em }: { em: EntityManager },
  { email, firstName = '', lastName = '', plan }: NewAccount,
  also: (tx: EntityManager, userId: string) => Promise<void> = async () => undefined,
): Promise<{ userId: string; teamId: string }> {
  if (!isEmail(email))
    throw refuse('invalid_argument', { path: ['email'], detail: 'is not an e-mail address' })
  const names = { firstName: firstName.trim(), lastName: lastName.trim() }
  for (const [member, name] of Object.entries(names))
    if (name.includes('\0') || [...name].length > NAME_LENGTH)
      throw refuse('invalid_argument', {
        path: [member],
        detail: `has at most ${NAME_LENGTH} characters`,
        meta: { maximum: NAME_LENGTH },
      })
  const userId = newUuid7()
  const teamId = newUuid7()
  try {
    await inTransaction(em, async (tx) => {
      await db(tx)
        .insertInto('users')
        .values({
          id: userId,
          email: email.toLowerCase(),
          first_name: names.firstName,
          last_name: names.lastName,
          plan,
        })
        .execute()
      const name = [...fullName(names, email)].slice(0, TEAM_NAME_LENGTH).join('')
      await db(tx).insertInto('teams').values({ id: teamId, name, personal_user_id: userId }).execute()
      await makeOwner(tx, teamId, userId)
      await also(tx, userId)
    })
  } catch (error) {
    if (isDuplicate(error)) throw refuse('invalid_argument', { path: ['email'], detail: 'is taken' })
    throw error
  }
  return { userId, teamId }
}
