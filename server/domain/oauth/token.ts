// What comes of an authorization request: the request itself while it waits for the person to sign in and to agree, then
// codes and tokens, each known by the SHA-256 of what names it. Tickets are used once whichever server is asked. Access
// tokens are read on every surface by `accounts/caller.ts`. And how many rows strangers may make in such tables.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { newUuid7, secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { float8, nullable } from '../../store/columns.ts'
import type { TABLES } from '../../store/database.ts'
import { change, command, db, row, statement } from '../../store/statement.ts'
import type { ProtectedResource } from '../accounts/scope.ts'
import { endsIn, type Payload, payloadFinder } from './stored_payload.ts'

const IN_ALL = 10_000
const PART = 40

/**
 * True where a network has as much as it may, which is a fortieth of what is free. So one network alone has 244 rows, the
 * more there are the less each may have, and a network that has none finds room until some 240 others have each taken
 * all that they may.
 *
 * Rows are counted as the statement finds them. Those that come together do not see each other, so at most one more for
 * each connection to the database is let in.
 */
export const isFull = (own: RawBuilder<unknown>, all: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${own} * ${sql.lit(PART)} >= ${sql.lit(IN_ALL)} - ${all}`

interface WaitingRequest {
  /** The secret that names it. */
  readonly id: string
  readonly payload: Payload
  readonly seconds: number
  /**
   * Whose it is: that of an account that is signed in, or of a network, see `networkKey`, where somebody has to sign in
   * first. The network matters for a new one alone.
   */
  readonly of: { readonly account: string } | { readonly network: string }
}

/** The most that wait for one person who is signed in. Beyond them that person's oldest goes. */
const MOST_OF_ACCOUNT = 100

/**
 * Stores it, or changes its payload, its end, and whose it is. A request that is new where there is no room for another
 * one is refused: one that waits is never ended by somebody else's. Whoever is signed in needs no room among strangers.
 * @throws rate_limited
 */
export async function saveRequest(
  em: EntityManager,
  { id, payload, seconds, of }: WaitingRequest,
): Promise<void> {
  const request = { hash: secretHash(id), payload: JSON.stringify(payload), seconds }
  if ('account' in of) {
    const owner = `account ${of.account}`
    await change(em, SAVE_REQUEST({ ...request, owner }))
    await change(em, DROP_OLDEST_OF({ owner }))
    return
  }
  const { wait_ms } = await row(em, ADMIT({ ...request, owner: of.network }))
  if (wait_ms === null) return
  throw refuse('rate_limited', {
    detail: 'too many people of your network have begun to sign in and have not finished yet',
    meta: { retry_after_ms: wait_ms },
  })
}

interface Stored {
  readonly hash: Uint8Array
  readonly payload: string
  readonly seconds: number
  /** `account` and an account's id, or a network. */
  readonly owner: string
}

const columns = sql`(kind, id_hash, payload, address, expires_at)`

const values = ({ hash, payload, seconds, owner }: Stored) =>
  sql`'interaction', ${hash}::bytea, ${payload}, ${owner}, ${endsIn(seconds)}`

const orChange = sql`
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`

const SAVE_REQUEST = command(
  (request: Stored) => sql`
  INSERT INTO oauth_tickets ${columns} VALUES (${values(request)}) ${orChange}, address = EXCLUDED.address`,
)

/** Index: oauth_tickets_waiting_of. */
const DROP_OLDEST_OF = command(
  ({ owner }: { owner: string }) => sql`
  DELETE FROM oauth_tickets WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_tickets WHERE kind = 'interaction' AND address LIKE 'account %' AND address = ${owner}
     ORDER BY expires_at DESC OFFSET ${sql.lit(MOST_OF_ACCOUNT)} LIMIT 2))`,
)

/** Whose it is stays as it was. Index: oauth_tickets_waiting, of which it reads all: what networks have. */
const ADMIT = statement(
  { wait_ms: nullable(float8) },
  (request: Stored) => sql`
  WITH waiting AS (
      SELECT count(*) FILTER (WHERE address = ${request.owner}) AS own, count(*) AS requests,
             coalesce(min(expires_at) FILTER (WHERE address = ${request.owner}), min(expires_at)) AS next_end
        FROM oauth_tickets
       WHERE kind = 'interaction' AND address NOT LIKE 'account %' AND expires_at > (SELECT pharos_now())),
    made AS (
      INSERT INTO oauth_tickets ${columns} SELECT ${values(request)} FROM waiting
       WHERE NOT ${isFull(sql`own`, sql`requests`)}
          OR EXISTS (SELECT FROM oauth_tickets WHERE kind = 'interaction' AND id_hash = ${request.hash})
      ${orChange} RETURNING id_hash)
  SELECT CASE WHEN NOT EXISTS (SELECT FROM made) THEN greatest(1000, unix_ms(next_end) - unix_ms(pharos_now())) END
         AS wait_ms FROM waiting`,
)

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

interface Named {
  readonly kind: TicketKind
  readonly id: string
}

const named = ({ kind, id }: Named) => ({ kind, hash: secretHash(id) })

/**
 * Stores a code or refresh token, or changes its payload and its end.
 * @throws a foreign key violation when the grant or session is gone
 */
export async function saveTicket(em: EntityManager, { id, payload, ...rest }: NewTicket): Promise<void> {
  await change(em, SAVE({ ...rest, hash: secretHash(id), payload: JSON.stringify(payload) }))
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
  const { kind, hash } = named(ticket)
  await db(em).deleteFrom('oauth_tickets').where('kind', '=', kind).where('id_hash', '=', hash).execute()
}

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
    SAVE_TOKEN({ ...rest, id: newUuid7(), hash: secretHash(token), payload: JSON.stringify(payload) }),
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
  findByHash(em, { hash: secretHash(token) })

const findByHash = payloadFinder(
  'oauth_access_tokens',
  ({ hash }: { hash: Uint8Array }) => sql`token_hash = ${hash}`,
)

export async function deleteAccessToken(em: EntityManager, token: string): Promise<void> {
  await db(em).deleteFrom('oauth_access_tokens').where('token_hash', '=', secretHash(token)).execute()
}
