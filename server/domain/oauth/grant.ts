// Grants: what one person allowed one client. Deleting one ends every code and token that came from it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { instant, nullable, text, texts } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
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
  shown: { readonly id: string; readonly clientName: string; readonly redirectHost: string },
): Promise<void> {
  await change(em, DESCRIBE(shown))
}

const DESCRIBE = command(
  ({ id, clientName, redirectHost }: { id: string; clientName: string; redirectHost: string }) => sql`
  UPDATE oauth_grants SET client_name = ${clientName}, redirect_host = ${redirectHost} WHERE id = ${id}`,
)

/** A grant does not end before the refresh tokens that come from it. */
export async function prolongGrant(
  em: EntityManager,
  { id, seconds }: { readonly id: string; readonly seconds: number },
): Promise<void> {
  await change(em, PROLONG({ id, seconds }))
}

const PROLONG = command(
  ({ id, seconds }: { id: string; seconds: number }) => sql`
  UPDATE oauth_grants SET expires_at = ${endsIn(seconds)} WHERE id = ${id} AND expires_at < ${endsIn(seconds)}`,
)

export const findGrant = (em: EntityManager, id: string) => findById(em, { id })

const findById = payloadFinder('oauth_grants', ({ id }: { id: string }) => sql`id = ${id}`)

/** Returns false when there is none. */
export const deleteGrant = async (em: EntityManager, id: string): Promise<boolean> =>
  (await change(em, DELETE({ id }))) > 0

const DELETE = command(({ id }: { id: string }) => sql`DELETE FROM oauth_grants WHERE id = ${id}`)

/** Takes back what a person allowed an application. @throws not_found when it is not one of the person's own */
export async function revokeOwnGrant(
  em: EntityManager,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<void> {
  if ((await change(em, REVOKE_OWN({ userId, id }))) === 0) throw refuse('not_found')
}

const REVOKE_OWN = command(
  ({ userId, id }: { userId: string; id: string }) => sql`
  DELETE FROM oauth_grants WHERE id = ${id} AND user_id = ${userId} AND client_id <> ${FIRST_PARTY_CLIENT}`,
)

export type GrantRow = PlainRow<typeof TABLES.oauth_grants>

export const grantOf = rowReader(TABLES.oauth_grants)

/** The newest grants of a person to applications, at most this many. Index: oauth_grants_user. */
export const listGrants = (
  em: EntityManager,
  { userId, limit }: { readonly userId: string; readonly limit: number },
) => rows(em, LIST({ userId, limit }))

const LIST = statement(
  {
    id: text,
    client_id: text,
    client_name: text,
    redirect_host: text,
    scopes: texts,
    inserted_at: instant,
    last_used_at: nullable(instant),
  },
  ({ userId, limit }: { userId: string; limit: number }) => sql`
  SELECT id, client_id, client_name, redirect_host, scopes, inserted_at, last_used_at FROM oauth_grants
   WHERE user_id = ${userId} AND expires_at > (SELECT pharos_now()) ORDER BY id DESC LIMIT ${limit}`,
)
