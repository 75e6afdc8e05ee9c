// Erases the claims of expired items. From the time of expiry on they are already hidden from every reader.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import { redactExpiredWhere, withFact } from './change_item.ts'

/**
 * Redacts at most `limit` expired items, records a fact for each, and returns how many it redacted. Call it again
 * while it returns `limit`. Any number of servers may call it at once, because rows that another transaction has
 * locked are skipped. Index: items_expiring.
 */
export const redactExpired = (em: EntityManager, limit: number): Promise<number> =>
  change(em, REDACT_EXPIRED({ limit }))

const REDACT_EXPIRED = command(({ limit }: { limit: number }) =>
  withFact(
    'item.redacted',
    redactExpiredWhere(sql`id = ANY(ARRAY(
      SELECT id FROM items WHERE expires_at <= pharos_now() AND redacted_at IS NULL
       ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`),
  ),
)
