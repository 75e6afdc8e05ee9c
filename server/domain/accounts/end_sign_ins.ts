// Ends what a person is signed in with: browser sessions, grants and their tokens. API keys stay.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
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
