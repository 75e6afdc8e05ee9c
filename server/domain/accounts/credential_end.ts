// When the credential of a connection ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8, text } from '../../store/columns.ts'
import { row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import type { Caller } from './caller.ts'

export interface CredentialEnd {
  /** On the monotonic clock. Infinite for a credential that does not expire. */
  readonly endsAt: number
  readonly serverTime: string
}

/**
 * Computes the credential's remaining time with the database's clock. This process then measures it with its own
 * clock.
 */
export async function credentialEnd(
  { em }: { em: EntityManager },
  { credential }: Caller,
): Promise<CredentialEnd> {
  const { now, now_ms } = await row(em, NOW_TWICE)
  const left = credential.expiresAt === null ? Number.POSITIVE_INFINITY : credential.expiresAt - now_ms
  return { endsAt: performance.now() + left, serverTime: now }
}

const NOW_TWICE = statement(
  { now: text, now_ms: float8 },
  sql`SELECT iso_time(t) AS now, unix_ms(t) AS now_ms FROM pharos_now() AS t`,
)
