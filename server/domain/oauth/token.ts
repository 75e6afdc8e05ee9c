// What comes of a grant, known by the SHA-256 of what names it. Tickets are used once whichever server is asked:
// authorization codes and refresh tokens, and authorization requests that wait for the person, which are stored by
// `waiting_request.ts`. Access tokens are read on every surface by `accounts/caller.ts`.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../kernel/identifiers.ts'
import type { TABLES } from '../../store/database.ts'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import { hashAccessToken } from '../accounts/caller.ts'
import type { ProtectedResource } from '../accounts/scope.ts'
import { endsIn, type Payload, payloadFinder, secretHash } from './stored_payload.ts'

export type TicketKind = NonNullable<(typeof TABLES.oauth_tickets.kind)['read']>

/** What comes of a grant. */
interface OfGrant {
  readonly grantId: string
  /** The session that it ends with, if it does. */
  readonly sessionId: string | null
  readonly payload: Payload
  readonly seconds: number
}

export interface NewTicket extends OfGrant {
  readonly kind: Exclude<TicketKind, 'interaction'>
  /** The secret that names it. */
  readonly id: string
}

/**
 * The most refresh tokens of one grant, and the most access tokens: who renews every access token in time uses 2,880
 * refresh tokens until the first is deleted. A refresh token that is repeated makes access tokens alone.
 */
const MOST_TOKENS = 5_000

/**
 * A refresh token that was used may be used again for so many seconds: several tabs or processes of a client refresh at
 * once, and an answer is lost now and then. Each such use gets an access token of its own and the same next refresh token
 * (`create_provider.ts`), so the family does not branch, and whoever has stolen a token is noticed by the next use
 * that comes later. Only while servers have different master keys does each give a next token of its own.
 */
const AGAIN_SECONDS = 10

/**
 * Either way, because the moments of two statements at once are in no order. After a clock was set back by less,
 * uses are allowed for as much longer; after more, none is until it is as near again.
 */
const USED_JUST_NOW = sql`kind = 'refresh_token' AND consumed_at BETWEEN
  pharos_now() - ${sql.lit(AGAIN_SECONDS)} * interval '1 second' AND
  pharos_now() + ${sql.lit(AGAIN_SECONDS)} * interval '1 second'`

interface Named<Kind extends TicketKind = TicketKind> {
  readonly kind: Kind
  readonly id: string
}

const named = <Kind extends TicketKind>({ kind, id }: Named<Kind>) => ({ kind, hash: secretHash(id) })

/**
 * Stores a code or refresh token, or changes its payload and its end.
 * @throws a foreign key violation when the grant or session is gone
 */
export async function saveTicket(
  em: EntityManager,
  { kind, id, payload, ...rest }: NewTicket,
): Promise<void> {
  await change(em, SAVE({ ...named({ kind, id }), ...rest, payload: JSON.stringify(payload) }))
}

const SAVE = command(
  (
    ticket: Omit<NewTicket, 'id' | 'payload'> & { readonly hash: Uint8Array; readonly payload: string },
  ) => sql`
  INSERT INTO oauth_tickets (kind, id_hash, grant_id, session_id, payload, expires_at)
  VALUES (${ticket.kind}, ${ticket.hash}, ${ticket.grantId}, ${ticket.sessionId}, ${ticket.payload},
          ${endsIn(ticket.seconds)})
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`,
)

/**
 * Ends a grant with more tokens than any client needs, so that one that refreshes all the time fills no table.
 * Its used tokens are not forgotten instead, because a thief could have the owner's next use pass for an unknown token.
 * Returns true when it ended. Indexes: oauth_tickets_grant, oauth_access_tokens_grant.
 */
export const endWornGrant = async (em: EntityManager, grantId: string): Promise<boolean> =>
  (await change(em, END_WORN({ grantId }))) > 0

const END_WORN = command(
  ({ grantId }: { grantId: string }) => sql`
  DELETE FROM oauth_grants WHERE id = ${grantId} AND ${MOST_TOKENS} < greatest(
    (SELECT count(*) FROM (SELECT FROM oauth_tickets WHERE grant_id = ${grantId} AND kind = 'refresh_token'
      LIMIT ${MOST_TOKENS + 1}) AS t),
    (SELECT count(*) FROM (SELECT FROM oauth_access_tokens WHERE grant_id = ${grantId}
      LIMIT ${MOST_TOKENS + 1}) AS t))`,
)

/** Index: oauth_tickets_pkey. */
export const findTicket = (em: EntityManager, ticket: Named) => findByName(em, named(ticket))

const findByName = payloadFinder(
  'oauth_tickets',
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`kind = ${kind} AND id_hash = ${hash}`,
  sql`consumed_at IS NOT NULL AND NOT (${USED_JUST_NOW})`,
)

/**
 * Uses a code or refresh token up. Of several uses of a code at once, on any servers, one gets true; of a refresh token
 * each does that comes within some seconds. Any other one is a sign that the ticket was stolen: it ends the grant with
 * everything that came from it, and gets false.
 */
export async function consumeTicket(em: EntityManager, ticket: Named): Promise<boolean> {
  if ((await change(em, CONSUME(named(ticket)))) === 1) return true
  await change(em, END_FAMILY(named(ticket)))
  return false
}

const CONSUME = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  UPDATE oauth_tickets SET consumed_at = coalesce(consumed_at, pharos_now())
   WHERE kind = ${kind} AND id_hash = ${hash} AND (consumed_at IS NULL OR ${USED_JUST_NOW})
     AND expires_at > pharos_now()`,
)

const END_FAMILY = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  DELETE FROM oauth_grants
   WHERE id = (SELECT grant_id FROM oauth_tickets WHERE kind = ${kind} AND id_hash = ${hash})`,
)

export async function deleteTicket(em: EntityManager, ticket: Named): Promise<void> {
  await change(em, DELETE(named(ticket)))
}

const DELETE = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  DELETE FROM oauth_tickets WHERE kind = ${kind} AND id_hash = ${hash}`,
)

interface NewAccessToken extends OfGrant {
  readonly token: string
  readonly userId: string
  readonly clientId: string
  readonly resource: ProtectedResource
  readonly scopes: readonly string[]
}

/** @throws a foreign key violation when the grant or session is gone */
export async function saveAccessToken(
  em: EntityManager,
  { token, payload, ...rest }: NewAccessToken,
): Promise<void> {
  await change(
    em,
    SAVE_TOKEN({ ...rest, id: newUuid7(), hash: hashAccessToken(token), payload: JSON.stringify(payload) }),
  )
}

/** It never outlives its session, and notes that the session was used. */
const SAVE_TOKEN = command(
  (
    token: Omit<NewAccessToken, 'token' | 'payload'> & {
      readonly id: string
      readonly hash: Uint8Array
      readonly payload: string
    },
  ) => sql`
  WITH used AS (UPDATE oauth_sessions SET last_used_at = pharos_now() WHERE id = ${token.sessionId} RETURNING expires_at)
  INSERT INTO oauth_access_tokens
    (id, token_hash, grant_id, session_id, user_id, client_id, resource, scopes, payload, expires_at)
  VALUES (${token.id}, ${token.hash}, ${token.grantId}, ${token.sessionId}, ${token.userId}, ${token.clientId},
          ${token.resource}, ${token.scopes}::text[], ${token.payload},
          least(${endsIn(token.seconds)}, (SELECT expires_at FROM used)))`,
)

/** Index: oauth_access_tokens_token_hash_key. */
export const findAccessToken = (em: EntityManager, token: string) =>
  findByHash(em, { hash: hashAccessToken(token) })

const findByHash = payloadFinder(
  'oauth_access_tokens',
  ({ hash }: { hash: Uint8Array }) => sql`token_hash = ${hash}`,
)

export async function deleteAccessToken(em: EntityManager, token: string): Promise<void> {
  await change(em, DELETE_TOKEN({ hash: hashAccessToken(token) }))
}

const DELETE_TOKEN = command(
  ({ hash }: { hash: Uint8Array }) => sql`DELETE FROM oauth_access_tokens WHERE token_hash = ${hash}`,
)
