// Deletes expired access tokens and grants.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/**
 * One bounded DELETE of each. Call again while one of them is full. Indexes: oauth_access_tokens_expires_at,
 * oauth_grants_expires_at.
 */
export async function pruneGrants({ em }: { em: EntityManager }, limit: number): Promise<number> {
  const tokens = await change(em, PRUNE_TOKENS({ limit }))
  return Math.max(tokens, await change(em, PRUNE_GRANTS({ limit })))
}

const PRUNE_TOKENS = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM oauth_access_tokens WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_access_tokens WHERE expires_at < (SELECT pharos_now())
     ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)

const PRUNE_GRANTS = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM oauth_grants WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_grants WHERE expires_at < (SELECT pharos_now())
     ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
