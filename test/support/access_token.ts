// A grant and an access token of it, as the authorization server would store them.
import { randomBytes } from 'node:crypto'
import type { ProtectedResource, Scope } from '../../server/domain/accounts/scope.ts'
import { newUuid7, secretHash } from '../../server/kernel/identifiers.ts'

export interface NewAccessToken {
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly resource?: ProtectedResource
  readonly clientId?: string
  /** A grant that exists, whose client and account are taken to be the same. */
  readonly grantId?: string
  /** Milliseconds from the database's now. Negative for a token that has expired. */
  readonly lifetimeMs?: number
}

/** An open test service has it. */
interface Queried {
  readonly query: (text: string, parameters?: readonly unknown[]) => Promise<unknown>
}

export interface TestAccessToken {
  readonly token: string
  readonly id: string
  readonly grantId: string
}

export async function accessToken(
  { query }: Queried,
  {
    userId,
    scopes,
    resource = 'api',
    clientId = 'a-third-party',
    lifetimeMs = 900_000,
    ...given
  }: NewAccessToken,
): Promise<TestAccessToken> {
  const grantId = given.grantId ?? newUuid7()
  if (given.grantId === undefined)
    await query(
      `INSERT INTO oauth_grants (id, user_id, client_id, payload, expires_at)
       VALUES ($1, $2, $3, '{}', pharos_now() + interval '180 days')`,
      [grantId, userId, clientId],
    )
  const token = randomBytes(32).toString('base64url')
  const id = newUuid7()
  await query(
    `INSERT INTO oauth_access_tokens
       (id, token_hash, grant_id, user_id, client_id, resource, scopes, payload, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, '{}', pharos_now() + $8 * interval '1 millisecond')`,
    [id, secretHash(token), grantId, userId, clientId, resource, scopes, lifetimeMs],
  )
  return { token, id, grantId }
}

/** As revocation does: the rows are gone, and with them every token of the grant. */
export const revokeGrant = async ({ query }: Queried, grantId: string): Promise<void> =>
  void (await query('DELETE FROM oauth_grants WHERE id = $1', [grantId]))
