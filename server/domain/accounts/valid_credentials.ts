// Which credentials of open connections are still valid, and when each ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8, text } from '../../store/columns.ts'
import { row, rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import type { Caller, Credential } from './caller.ts'

export interface CredentialEnd {
  /** On the monotonic clock. Infinite for a credential that does not expire. */
  readonly endsAt: number
  readonly serverTime: string
}

/**
 * Computes the credential's remaining time with the database's clock. This process then measures it with its own
 * clock.
 */
export async function credentialEnd(em: EntityManager, { credential }: Caller): Promise<CredentialEnd> {
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
  const idsOf = (asked: Credential['kind']): readonly string[] => [
    ...new Set(credentials.flatMap(({ kind, id }) => (kind === asked ? [id] : []))),
  ]
  const valid = await rows(em, VALID({ keys: idsOf('api_key'), tokens: idsOf('access_token') }))
  return new Set(valid.map(({ id }) => id))
}

const VALID = statement(
  { id: text },
  ({ keys, tokens }: { keys: readonly string[]; tokens: readonly string[] }) => sql`
  SELECT k.id FROM api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.id = ANY(${keys}::text[]) AND k.revoked_at IS NULL
     AND (k.expires_at IS NULL OR k.expires_at > pharos_now()) AND u.disabled_at IS NULL
   UNION ALL
  SELECT t.id FROM oauth_access_tokens t JOIN users u ON u.id = t.user_id
   WHERE t.id = ANY(${tokens}::text[]) AND t.expires_at > pharos_now() AND u.disabled_at IS NULL`,
)
