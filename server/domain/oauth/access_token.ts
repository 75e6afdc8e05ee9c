// Access tokens as the authorization server writes them. `accounts/caller.ts` reads them on every surface.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { float8, text } from '../../store/columns.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import { hashAccessToken } from '../accounts/caller.ts'
import type { ProtectedResource } from '../accounts/scope.ts'
import { type FoundPayload, type Payload, readPayload } from './stored_payload.ts'

interface NewAccessToken {
  readonly token: string
  readonly grantId: string
  /** The session that it ends with, if it does. */
  readonly sessionId: string | null
  readonly userId: string
  readonly clientId: string
  readonly resource: ProtectedResource
  readonly scopes: readonly string[]
  readonly payload: Payload
  readonly seconds: number
}

/** @throws a foreign key violation when the grant or session is gone */
export async function saveAccessToken(
  em: EntityManager,
  { token, payload, ...rest }: NewAccessToken,
): Promise<void> {
  await change(
    em,
    SAVE({ ...rest, id: newUuid7(), hash: hashAccessToken(token), payload: JSON.stringify(payload) }),
  )
}

/** It never outlives its session, and notes that the session was used. */
const SAVE = command(
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
          least(pharos_now() + ${token.seconds}::float8 * interval '1 second', (SELECT expires_at FROM used)))`,
)

/** Index: oauth_access_tokens_token_hash_key. */
export async function findAccessToken(em: EntityManager, token: string): Promise<FoundPayload | undefined> {
  const [row] = await rows(em, FIND({ hash: hashAccessToken(token) }))
  return row === undefined
    ? undefined
    : { payload: readPayload(row.payload), isConsumed: false, leftSeconds: row.left_seconds }
}

const FIND = statement(
  { payload: text, left_seconds: float8 },
  ({ hash }: { hash: Uint8Array }) => sql`
  SELECT payload, ceil(extract(epoch FROM expires_at - pharos_now()))::float8 AS left_seconds
    FROM oauth_access_tokens WHERE token_hash = ${hash} AND expires_at > pharos_now()`,
)

export async function deleteAccessToken(em: EntityManager, token: string): Promise<void> {
  await change(em, DELETE({ hash: hashAccessToken(token) }))
}

const DELETE = command(
  ({ hash }: { hash: Uint8Array }) => sql`DELETE FROM oauth_access_tokens WHERE token_hash = ${hash}`,
)
