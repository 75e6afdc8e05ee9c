// Who is asking: a credential becomes a caller, or nothing.
import { timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { change, rows } from '../../store/rows.ts'
import { hashApiKeySecret, looksLikeApiKey } from './api_key_secret.ts'
import type { Plan } from './plan.ts'
import { fullName } from './user.ts'

export const SCOPES = ['api:read', 'api:write'] as const

export type Scope = (typeof SCOPES)[number]

/** `expiresAt` in unix milliseconds, null for a credential that does not expire. */
export interface Credential {
  readonly kind: 'api_key'
  readonly id: string
  readonly expiresAt: number | null
}

export interface Caller {
  readonly userId: string
  /** As `fullName` gives it to the person. */
  readonly fullName: string
  readonly plan: Plan
  readonly credential: Credential
  readonly scopes: ReadonlySet<Scope>
}

interface KeyRow {
  id: string
  secret_hash: Buffer
  expires_at: number | null
  user_id: string
  email: string
  first_name: string
  last_name: string
  plan: Plan
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)

/**
 * The caller behind a bearer token, or undefined when it is malformed, unknown, revoked or expired: the four are not
 * told apart. The lookup goes by hash (index api_keys_secret_hash_key); the comparison is constant-time.
 */
export async function authenticate(
  { em }: { em: EntityManager },
  token: string,
): Promise<Caller | undefined> {
  if (!looksLikeApiKey(token)) return undefined
  const hash = hashApiKeySecret(token)
  const [key] = await rows<KeyRow>(
    em,
    `SELECT k.id, k.secret_hash, unix_ms(k.expires_at) AS expires_at, k.user_id, u.email,
            u.first_name, u.last_name, u.plan
       FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.secret_hash = $1 AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > pharos_now())`,
    [hash],
  )
  if (key === undefined || !timingSafeEqual(key.secret_hash, hash)) return undefined
  return Object.freeze({
    userId: key.user_id,
    fullName: fullName({ firstName: key.first_name, lastName: key.last_name }, key.email),
    plan: key.plan,
    credential: Object.freeze({ kind: 'api_key', id: key.id, expiresAt: key.expires_at }),
    scopes: ALL_SCOPES,
  } satisfies Caller)
}

/** Which of these API keys may still be used: one query for all sessions of a server. */
export async function validApiKeys(
  { em }: { em: EntityManager },
  ids: readonly string[],
): Promise<Set<string>> {
  const valid = await rows<{ id: string }>(
    em,
    `SELECT id FROM api_keys WHERE id = ANY($1::text[]) AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > pharos_now())`,
    [ids],
  )
  return new Set(valid.map(({ id }) => id))
}

/** Notes that these keys were used, to the minute: one statement for everything used since the last call. */
export const touchApiKeys = ({ em }: { em: EntityManager }, ids: readonly string[]): Promise<number> =>
  change(
    em,
    `UPDATE api_keys SET last_used_at = pharos_now()
      WHERE id = ANY($1::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')`,
    [ids],
  )
