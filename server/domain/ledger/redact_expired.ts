// Items that asked to be forgotten: once their time has come nobody is shown their claims, and the service erases them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'
import { redactExpiredWhere, withFact } from './change_item.ts'

/**
 * Redacts at most `limit` expired items, each with its fact, and answers how many it did; call again while it is full.
 * Any number of servers may do so at once: rows that somebody else is changing are passed over. Index: items_expiring.
 */
export async function redactExpired({ em }: { em: EntityManager }, limit: number): Promise<number> {
  const redacted = await rows(em, REDACT_EXPIRED, [limit])
  return redacted.length
}

const DUE = `
  SELECT id FROM items WHERE expires_at <= pharos_now() AND state <> 'redacted'
   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`

const REDACT_EXPIRED = `${withFact('item.redacted', redactExpiredWhere(`id = ANY(ARRAY(${DUE}))`))} RETURNING subject_id`
