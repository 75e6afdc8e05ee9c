// Turns a credential into a caller: an API key, or an OAuth access token (RFC 6750). Of the credentials of open
// connections it tells which are still valid, and when each ends.
import { timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { secretHash } from '../../kernel/identifiers.ts'
import { bytes, float8, nullable, type RowOf, text, texts } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { preparedStatement, row, rows, statement } from '../../store/statement.ts'
import { looksLikeApiKey } from './api_key.ts'
import type { Plan } from './plan.ts'
import { API_SCOPES, effectiveScopes, type ProtectedResource, type Scope } from './scope.ts'
import { fullName } from './user.ts'

const SHAPE = /^[\w-]{32,128}$/

/** False for text that none of our tokens can be, such as a JWT, which has dots. Saves a query. */
const looksLikeAccessToken = (text: string): boolean => SHAPE.test(text)

/** `expiresAt` is in unix milliseconds, or null for a credential that does not expire. */
type Credential =
  | { readonly kind: 'api_key'; readonly id: string; readonly expiresAt: number | null }
  | {
      readonly kind: 'access_token'
      readonly id: string
      readonly clientId: string
      readonly grantId: string
      readonly expiresAt: number
    }

export interface Caller {
  readonly userId: string
  /** The name that `fullName` gives to the person. */
  readonly fullName: string
  readonly plan: Plan
  readonly credential: Credential
  /** Those that are implied are among them. */
  readonly scopes: ReadonlySet<Scope>
}

/**
 * Returns the caller of a bearer token, or undefined when the token is malformed, unknown, revoked, expired, made for
 * the other resource, or of a disabled account. The answer does not distinguish these. API keys are known to the API
 * alone. The lookup is by hash (indexes api_keys_secret_hash_key, oauth_access_tokens_token_hash_key), and the
 * comparison takes constant time.
 */
export async function authenticate(
  em: EntityManager,
  token: string,
  resource: ProtectedResource,
): Promise<Caller | undefined> {
  if (looksLikeApiKey(token)) return resource === 'api' ? callerOfKey(em, token) : undefined
  return looksLikeAccessToken(token) ? callerOfAccessToken(em, token, resource) : undefined
}

async function callerOfKey(em: EntityManager, secret: string): Promise<Caller | undefined> {
  const hash = secretHash(secret)
  const [key] = await rows(em, VALID_KEY({ hash }))
  if (key === undefined || !timingSafeEqual(key.hash, hash)) return undefined
  const { id, expires_at } = key
  return callerFrom(key, { kind: 'api_key', id, expiresAt: expires_at }, API_SCOPES)
}

async function callerOfAccessToken(
  em: EntityManager,
  token: string,
  resource: ProtectedResource,
): Promise<Caller | undefined> {
  const hash = secretHash(token)
  const [found] = await rows(em, VALID_ACCESS_TOKEN({ hash, resource }))
  if (found === undefined || !timingSafeEqual(found.hash, hash)) return undefined
  const { id, client_id: clientId, grant_id: grantId, expires_at, scopes } = found
  return callerFrom(
    found,
    { kind: 'access_token', id, clientId, grantId, expiresAt: expires_at },
    effectiveScopes(scopes, { resource, clientId }),
  )
}

const OWNER = { user_id: text, email: text, first_name: text, last_name: text, plan: TABLES.users.plan }

const callerFrom = (
  { user_id, email, first_name, last_name, plan }: RowOf<typeof OWNER>,
  credential: Credential,
  scopes: ReadonlySet<Scope>,
): Caller =>
  Object.freeze({
    userId: user_id,
    fullName: fullName({ firstName: first_name, lastName: last_name }, email),
    plan,
    credential: Object.freeze(credential),
    scopes,
  })

const OWNER_COLUMNS = sql`u.id AS user_id, u.email, u.first_name, u.last_name, u.plan`

const VALID_KEY = preparedStatement(
  { id: text, hash: bytes, expires_at: nullable(float8), ...OWNER },
  ({ hash }: { hash: Uint8Array }) => sql`
  SELECT k.id, k.secret_hash AS hash, unix_ms(k.expires_at) AS expires_at, ${OWNER_COLUMNS}
    FROM api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.secret_hash = ${hash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > pharos_now())
     AND u.disabled_at IS NULL`,
)

const VALID_ACCESS_TOKEN = preparedStatement(
  { id: text, hash: bytes, client_id: text, grant_id: text, scopes: texts, expires_at: float8, ...OWNER },
  ({ hash, resource }: { hash: Uint8Array; resource: ProtectedResource }) => sql`
  SELECT t.id, t.token_hash AS hash, t.client_id, t.grant_id, t.scopes, unix_ms(t.expires_at) AS expires_at,
         ${OWNER_COLUMNS}
    FROM oauth_access_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.token_hash = ${hash} AND t.resource = ${resource} AND t.expires_at > pharos_now()
     AND u.disabled_at IS NULL`,
)

export type CredentialEnd = Awaited<ReturnType<typeof credentialEnd>>

/**
 * Computes the credential's remaining time with the database's clock. This process then measures it with its own
 * monotonic clock: `endsAt` is infinite for a credential that does not expire.
 */
export async function credentialEnd(em: EntityManager, { credential }: Caller) {
  const { now, now_ms } = await row(em, NOW_TWICE)
  const left = credential.expiresAt === null ? Number.POSITIVE_INFINITY : credential.expiresAt - now_ms
  return { endsAt: performance.now() + left, serverTime: now }
}

const NOW_TWICE = statement(
  { now: text, now_ms: float8 },
  sql`SELECT iso_time(t) AS now, unix_ms(t) AS now_ms FROM pharos_now() AS t`,
)

/**
 * Returns the ids of those that are neither revoked nor expired and whose account is not disabled. One query for all
 * connections of a server. Indexes: the primary keys.
 */
export async function validCredentials(
  em: EntityManager,
  credentials: readonly Credential[],
): Promise<ReadonlySet<string>> {
  const idsOf = (wanted: Credential['kind']): readonly string[] => [
    ...new Set(credentials.flatMap(({ kind, id }) => (kind === wanted ? [id] : []))),
  ]
  const valid = await rows(em, VALID({ keys: idsOf('api_key'), tokens: idsOf('access_token') }))
  return new Set(valid.map(({ id }) => id))
}

const VALID = preparedStatement(
  { id: text },
  ({ keys, tokens }: { keys: readonly string[]; tokens: readonly string[] }) => sql`
  SELECT k.id FROM api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.id = ANY(${keys}::text[]) AND k.revoked_at IS NULL
     AND (k.expires_at IS NULL OR k.expires_at > pharos_now()) AND u.disabled_at IS NULL
   UNION ALL
  SELECT t.id FROM oauth_access_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.id = ANY(${tokens}::text[]) AND t.expires_at > pharos_now() AND u.disabled_at IS NULL`,
)
