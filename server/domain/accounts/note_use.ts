// Writes when API keys and grants were last used.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

export interface Used {
  readonly keys: readonly string[]
  readonly grants: readonly string[]
}

/** To the minute. One statement for all uses since the last call. */
export const noteUse = async ({ em }: { em: EntityManager }, used: Used): Promise<void> => {
  await change(em, NOTE(used))
}

/** A row that is locked, such as that of a grant that is being revoked, is left for the next use. */
const NOTE = command(
  ({ keys, grants }: Used) => sql`
  WITH keys AS (
    SELECT id FROM api_keys
     WHERE id = ANY(${keys}::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  noted AS (UPDATE api_keys SET last_used_at = pharos_now() WHERE id IN (SELECT id FROM keys)),
  grants AS (
    SELECT id FROM oauth_grants
     WHERE id = ANY(${grants}::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE oauth_grants SET last_used_at = pharos_now() WHERE id IN (SELECT id FROM grants)`,
)
