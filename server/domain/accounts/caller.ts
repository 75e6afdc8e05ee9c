// Turns a credential into a caller.

import { timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import { hashApiKeySecret, looksLikeApiKey } from './api_key_secret.ts'
import type { Plan } from './plan.ts'
import { fullName } from './user.ts'

const SCOPES = ['api:read', 'api:write'] as const

export type Scope = (typeof SCOPES)[number]

/** `expiresAt` is in unix milliseconds, or null for a credential that does not expire. */
export interface Credential {
  readonly kind: 'api_key'
  readonly id: string
  readonly expiresAt: number | null
}

export interface Caller {
  readonly userId: string
  /** The name that `fullName` gives to the person. */
  readonly fullName: string
  readonly plan: Plan
  readonly credential: Credential
  readonly scopes: ReadonlySet<Scope>
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)

/**
 * Returns the caller of a bearer token, or undefined when the token is malformed, unknown, revoked or expired. The
 * answer does not distinguish these four. The lookup is by hash (index api_keys_secret_hash_key), and the comparison
 * takes constant time.
 */
export async function authenticate(
  { em }: { em: EntityManager },
  token: string,
): Promise<Caller | undefined> {
  if (!looksLikeApiKey(token)) return undefined
  const hash = hashApiKeySecret(token)
  const [key] = await rows(em, VALID_KEY({ hash }))
  if (key === undefined || !timingSafeEqual(key.secret_hash, hash)) return undefined
  return Object.freeze({
    userId: key.user_id,
    fullName: fullName({ firstName: key.first_name, lastName: key.last_name }, key.email),
    plan: key.plan,
    credential: Object.freeze({ kind: 'api_key', id: key.id, expiresAt: key.expires_at }),
    scopes: ALL_SCOPES,
  } satisfies Caller)
}

/** Returns which of these API keys are still valid. One query for all sessions of a server. */
export async function validApiKeys(
  { em }: { em: EntityManager },
  ids: readonly string[],
): Promise<Set<string>> {
  const valid = await rows(em, VALID_IDS({ ids }))
  return new Set(valid.map(({ id }) => id))
}

const VALID_KEY = statement(
  {
    id: text,
    secret_hash: bytes,
    expires_at: nullable(float8),
    user_id: text,
    email: text,
    first_name: text,
    last_name: text,
    plan: TABLES.users.plan,
  },
  ({ hash }: { hash: Uint8Array }) => sql`
  SELECT k.id, k.secret_hash, unix_ms(k.expires_at) AS expires_at, k.user_id, u.email, u.first_name, u.last_name, u.plan
    FROM api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.secret_hash = ${hash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > pharos_now())`,
)

const VALID_IDS = statement(
  { id: text },
  ({ ids }: { ids: readonly string[] }) => sql`
  SELECT id FROM api_keys
   WHERE id = ANY(${ids}::text[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > pharos_now())`,
)

/** Writes that these keys were used, to the minute. One statement for all uses since the last call. */
export const touchApiKeys = ({ em }: { em: EntityManager }, ids: readonly string[]): Promise<number> =>
  change(em, TOUCH({ ids }))

const TOUCH = command(
  ({ ids }: { ids: readonly string[] }) => sql`
  UPDATE api_keys SET last_used_at = pharos_now()
   WHERE id = ANY(${ids}::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')`,
)
