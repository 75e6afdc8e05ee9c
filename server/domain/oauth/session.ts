// Browser sessions. A session keeps its id, while what its cookie holds changes.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { change, command, db } from '../../store/statement.ts'
import { endsIn, type Payload, payloadFinder } from './stored_payload.ts'

interface SavedSession {
  readonly id: string
  /** What the cookie holds. */
  readonly cookie: string
  readonly userId: string
  readonly payload: Payload
  readonly seconds: number
}

/** The most sessions of one account. Beyond them the one that was not used for the longest time ends. */
const MOST_SESSIONS = 100

/**
 * Stores it, or changes what it holds. Two requests of one browser may save at once, each with the grant that it found
 * or made, so the grants of both are kept.
 */
export async function saveSession(
  em: EntityManager,
  { id, cookie, userId, payload, seconds }: SavedSession,
): Promise<void> {
  await change(em, SAVE({ id, hash: secretHash(cookie), userId, payload: JSON.stringify(payload), seconds }))
  await change(em, DROP_LEAST_USED({ userId }))
}

const SAVE = command(
  (session: { id: string; hash: Uint8Array; userId: string; payload: string; seconds: number }) => sql`
  INSERT INTO oauth_sessions (id, cookie_hash, user_id, payload, expires_at)
  VALUES (${session.id}, ${session.hash}, ${session.userId}, ${session.payload}::jsonb,
          ${endsIn(session.seconds)})
  ON CONFLICT (id) DO UPDATE SET cookie_hash = EXCLUDED.cookie_hash, expires_at = EXCLUDED.expires_at,
     last_used_at = pharos_now(),
     payload = EXCLUDED.payload || jsonb_build_object('authorizations',
       coalesce(oauth_sessions.payload -> 'authorizations', '{}') || coalesce(EXCLUDED.payload -> 'authorizations', '{}'))`,
)

/** Each save adds one at most, so a few at a time catch up. Index: oauth_sessions_user. */
const DROP_LEAST_USED = command(
  ({ userId }: { userId: string }) => sql`
  DELETE FROM oauth_sessions WHERE id = ANY (ARRAY(
    SELECT id FROM oauth_sessions WHERE user_id = ${userId}
     ORDER BY last_used_at DESC, id DESC OFFSET ${MOST_SESSIONS} LIMIT 2))`,
)

/** Notes where a person signed in, so that the session can be recognised in the list. */
export async function describeSession(
  em: EntityManager,
  { id, userAgent, address }: { id: string; userAgent: string; address: string },
): Promise<void> {
  const seen = { user_agent: userAgent, address }
  await db(em).updateTable('oauth_sessions').set(seen).where('id', '=', id).execute()
}

/** Index: oauth_sessions_cookie_hash_key. */
export const findSessionByCookie = (em: EntityManager, cookie: string) =>
  findByHash(em, { hash: secretHash(cookie) })

const findByHash = payloadFinder(
  'oauth_sessions',
  ({ hash }: { hash: Uint8Array }) => sql`cookie_hash = ${hash}`,
)

export const findSession = (em: EntityManager, id: string) => findById(em, { id })

const findById = payloadFinder('oauth_sessions', ({ id }: { id: string }) => sql`id = ${id}`)

/** The cookie is worth nothing from now on. The session goes on with another one. */
export async function forgetCookie(em: EntityManager, cookie: string): Promise<void> {
  await db(em)
    .updateTable('oauth_sessions')
    .set({ cookie_hash: null })
    .where('cookie_hash', '=', secretHash(cookie))
    .execute()
}

/** Ends a session and every token that is bound to it. */
export async function endSession(em: EntityManager, id: string): Promise<void> {
  await db(em).deleteFrom('oauth_sessions').where('id', '=', id).execute()
}

/** Ends one of the person's own sessions, and returns it as it was. @throws not_found */
export async function endOwnSession(
  em: EntityManager,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<SessionRow> {
  const ended = await db(em)
    .deleteFrom('oauth_sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (ended === undefined) throw refuse('not_found')
  return sessionOf(ended)
}

/** The session that an access token is bound to, if it is. */
export async function sessionOfToken(em: EntityManager, tokenId: string): Promise<string | null> {
  const tokens = db(em).selectFrom('oauth_access_tokens').select('session_id')
  return (await tokens.where('id', '=', tokenId).executeTakeFirst())?.session_id ?? null
}

export type SessionRow = PlainRow<typeof TABLES.oauth_sessions>

export const sessionOf = rowReader(TABLES.oauth_sessions)
