// Grants: what one person allowed one client. Deleting one ends every code and token that came from it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { change, command, db } from '../../store/statement.ts'
import { FIRST_PARTY_CLIENT } from '../accounts/scope.ts'
import { endsIn, type Payload, payloadFinder } from './stored_payload.ts'

interface SavedGrant {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly payload: Payload
  readonly seconds: number
}

/**
 * The most grants of one account, those of its browser sessions included. Beyond them the one that was not used for the
 * longest time goes, with its tokens.
 */
export const MOST_GRANTS = 500

/** Stores it, or changes what it allows. A grant never ends earlier than before. */
export async function saveGrant(em: EntityManager, { payload, ...rest }: SavedGrant): Promise<void> {
  await change(em, SAVE({ ...rest, payload: JSON.stringify(payload) }))
  await change(em, DROP_LEAST_USED({ userId: rest.userId }))
}

const SAVE = command(
  (grant: Omit<SavedGrant, 'payload'> & { readonly payload: string }) => sql`
  INSERT INTO oauth_grants (id, user_id, client_id, scopes, payload, expires_at)
  VALUES (${grant.id}, ${grant.userId}, ${grant.clientId}, ${grant.scopes}::text[], ${grant.payload},
          ${endsIn(grant.seconds)})
  ON CONFLICT (id) DO UPDATE SET scopes = EXCLUDED.scopes, payload = EXCLUDED.payload,
     expires_at = greatest(oauth_grants.expires_at, EXCLUDED.expires_at)`,
)

/** Each save adds one at most, so a few at a time catch up. Index: oauth_grants_user. */
const DROP_LEAST_USED = command(
  ({ userId }: { userId: string }) => sql`
  DELETE FROM oauth_grants WHERE id = ANY (ARRAY(
    SELECT id FROM oauth_grants WHERE user_id = ${userId}
     ORDER BY coalesce(last_used_at, inserted_at) DESC, id DESC OFFSET ${MOST_GRANTS} LIMIT 2))`,
)

/** Notes what the person was shown when it agreed. */
export async function describeGrant(
  em: EntityManager,
  { id, clientName, redirectHost }: { id: string; clientName: string; redirectHost: string },
): Promise<void> {
  await db(em)
    .updateTable('oauth_grants')
    .set({ client_name: clientName, redirect_host: redirectHost })
    .where('id', '=', id)
    .execute()
}

/** A grant does not end before the refresh tokens that come from it. */
export async function prolongGrant(
  em: EntityManager,
  grant: { readonly id: string; readonly seconds: number },
): Promise<void> {
  await change(em, PROLONG(grant))
}

const PROLONG = command(
  ({ id, seconds }: { id: string; seconds: number }) => sql`
  UPDATE oauth_grants SET expires_at = ${endsIn(seconds)} WHERE id = ${id} AND expires_at < ${endsIn(seconds)}`,
)

export const findGrant = (em: EntityManager, id: string) => findById(em, { id })

const findById = payloadFinder('oauth_grants', ({ id }: { id: string }) => sql`id = ${id}`)

/** Returns false when there is none. */
export async function deleteGrant(em: EntityManager, id: string): Promise<boolean> {
  const { numDeletedRows } = await db(em).deleteFrom('oauth_grants').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Takes back what a person allowed an application, and returns what it was.
 * @throws not_found when it is not one of the person's own
 */
export async function revokeOwnGrant(
  em: EntityManager,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<GrantRow> {
  const revoked = await db(em)
    .deleteFrom('oauth_grants')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('client_id', '<>', FIRST_PARTY_CLIENT)
    .returningAll()
    .executeTakeFirst()
  if (revoked === undefined) throw refuse('not_found')
  return grantOf(revoked)
}

export type GrantRow = PlainRow<typeof TABLES.oauth_grants>

export const grantOf = rowReader(TABLES.oauth_grants)

/** The newest grants of a person to applications, at most this many. Index: oauth_grants_user. */
export const listGrants = (
  em: EntityManager,
  { userId, limit }: { readonly userId: string; readonly limit: number },
) =>
  db(em)
    .selectFrom('oauth_grants')
    .select(['id', 'client_id', 'client_name', 'redirect_host', 'scopes', 'inserted_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`(SELECT pharos_now())`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
