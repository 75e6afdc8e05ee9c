// Items that asked to be forgotten: once their time has come nobody is shown their claims, and the service erases them.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import { redactExpiredWhere, withFact } from './change_item.ts'

/**
 * Redacts at most `limit` expired items, each with its fact, and answers how many it did; call again while it is full.
 * Any number of servers may do so at once: rows that somebody else is changing are passed over. Index: items_expiring.
 */
export const redactExpired = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, REDACT_EXPIRED({ limit }))

const REDACT_EXPIRED = command(({ limit }: { limit: number }) =>
  withFact(
    'item.redacted',
    redactExpiredWhere(sql`id = ANY(ARRAY(
      SELECT id FROM items WHERE expires_at <= pharos_now() AND state <> 'redacted'
       ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`),
  ),
)
