// Deletes what has expired: tokens, tickets, grants, sessions and clients.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/** What goes with a grant or session is deleted before it, so that no piece grows by what hangs on it. */
const TABLES_IN_ORDER = [
  'oauth_access_tokens',
  'oauth_tickets',
  'oauth_grants',
  'oauth_sessions',
  'oauth_clients',
] as const

/**
 * One bounded DELETE of each table. Call again while one of them is full. Skips rows that another server is deleting.
 * Indexes: `<table>_expires_at`.
 */
export async function pruneOauth(em: EntityManager, limit: number): Promise<number> {
  let most = 0
  for (const prune of PRUNES) most = Math.max(most, await change(em, prune({ limit })))
  return most
}

const PRUNES = TABLES_IN_ORDER.map((name) => {
  const table = sql.table(name)
  return command(
    ({ limit }: { limit: number }) => sql`
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE expires_at < (SELECT pharos_now())
       ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
  )
})
