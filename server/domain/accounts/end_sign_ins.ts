// Ends what an account is signed in with: browser sessions, grants and their tokens. An account is disabled with
// them, and enabled again. API keys stay.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { NOW } from '../../store/conditions.ts'
import { change, db, inTransaction } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/**
 * Sessions and grants take their codes and tokens with them. Each server learns of it by a notice and ends open
 * connections. Indexes: oauth_sessions_user, oauth_grants_user.
 * @param except the access token that asks for it: its session and its grant go on
 */
export async function endSignIns(em: EntityManager, userId: string, except?: string): Promise<void> {
  const asked = { userId, except: except ?? null }
  await change(em, END_SESSIONS(asked))
  await change(em, END_GRANTS(asked))
}

interface Asked {
  readonly userId: string
  readonly except: string | null
}

const END_SESSIONS = command(
  ({ userId, except }: Asked) => sql`
  DELETE FROM oauth_sessions WHERE user_id = ${userId}
     AND id IS DISTINCT FROM (SELECT session_id FROM oauth_access_tokens WHERE id = ${except})`,
)

const END_GRANTS = command(
  ({ userId, except }: Asked) => sql`
  DELETE FROM oauth_grants WHERE user_id = ${userId}
     AND id IS DISTINCT FROM (SELECT grant_id FROM oauth_access_tokens WHERE id = ${except})`,
)

/**
 * Its sessions, grants, tokens and one-time links end for good. Its API keys are unknown until it is enabled again.
 * Every server learns of it by a notice, and open connections end within a minute. Returns false when it was disabled
 * already.
 */
export const disableAccount = (em: EntityManager, userId: string): Promise<boolean> =>
  inTransaction(em, async (tx) => {
    const changed = await switched(tx, userId, true)
    await endSignIns(tx, userId)
    await db(tx).deleteFrom('password_resets').where('user_id', '=', userId).execute()
    return changed
  })

/** The person signs in again; API keys work again. Returns false when it was not disabled. */
export const enableAccount = (em: EntityManager, userId: string): Promise<boolean> =>
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
