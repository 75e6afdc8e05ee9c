// Disables an account, and lets it in again. Nothing is deleted but what it was signed in with.
import type { EntityManager } from '@mikro-orm/postgresql'
import { NOW } from '../../store/database_time.ts'
import { db } from '../../store/run.ts'
import { inTransaction } from '../../store/transaction.ts'
import { endSignIns } from './end_sign_ins.ts'

/**
 * Its sessions, grants, tokens and one-time links end for good. Its API keys are unknown until it is enabled again.
 * Every server learns of it by a notice, and open connections end within a minute. Returns false when it was disabled
 * already.
 */
export const disableAccount = ({ em }: { em: EntityManager }, userId: string): Promise<boolean> =>
  inTransaction(em, async (tx) => {
    const changed = await switched(tx, userId, true)
    await endSignIns(tx, userId)
    await db(tx).deleteFrom('password_resets').where('user_id', '=', userId).execute()
    return changed
  })

/** The person signs in again; API keys work again. Returns false when it was not disabled. */
export const enableAccount = ({ em }: { em: EntityManager }, userId: string): Promise<boolean> =>
  switched(em, userId, false)

async function switched(em: EntityManager, userId: string, disabled: boolean): Promise<boolean> {
  const done = await db(em)
    .updateTable('users')
    .set({ disabled_at: disabled ? NOW : null, updated_at: NOW })
    .where('id', '=', userId)
    .where('disabled_at', disabled ? 'is' : 'is not', null)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}
