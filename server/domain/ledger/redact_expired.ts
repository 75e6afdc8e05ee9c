// Items that asked to be forgotten: when their time has come, the service redacts them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'
import { REDACT_COLUMNS } from './change_item.ts'

/**
 * Redacts at most `limit` expired items, each with its fact, and answers how many it did; call again while it is full.
 * Rows that somebody else is changing are left to the next run. Index: items_expiring.
 */
export async function redactExpired({ em }: { em: EntityManager }, limit: number): Promise<number> {
  const redacted = await rows(
    em,
    `WITH due AS (
       SELECT id FROM items WHERE expires_at <= pharos_now() AND state <> 'redacted'
        ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED),
     changed AS (UPDATE items SET ${REDACT_COLUMNS} WHERE id IN (SELECT id FROM due) RETURNING items)
     INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
     SELECT 'item.redacted', (items).id, (items).creator_id, (items).team_id, (items).visibility, item_snapshot(items)
       FROM changed
     RETURNING subject_id`,
    [limit],
  )
  return redacted.length
}
