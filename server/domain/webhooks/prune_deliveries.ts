// Deletes deliveries after 31 days, and kept copies of items whose facts are handled.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import { readFeatureFlag } from '../accounts/feature_flag.ts'

const KEPT_DAYS = 31

/**
 * Deletes at most `limit` rows and returns how many, 0 while the operator has switched pruning off. Call it again
 * while it returns `limit`. Rows are deleted by ctid, because finding them again by id would cost as much as the
 * deletion; a row that moves in between is left to the next call. Index: webhook_deliveries_age.
 */
export async function pruneDeliveries({ em }: { em: EntityManager }, limit: number): Promise<number> {
  if (!(await readFeatureFlag({ em }, 'webhooks.prune'))) return 0
  return change(em, PRUNE({ limit }))
}

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE inserted_at < pharos_now() - ${KEPT_DAYS} * interval '1 day'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)

/**
 * Deletes copies that are no longer read. A change that saw a block in the queue can commit its copy after the block
 * has left the queue.
 */
export const pruneKeptItems = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE_KEPT({ limit }))

const PRUNE_KEPT = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_kept_items WHERE ctid = ANY (ARRAY(
    SELECT k.ctid FROM webhook_kept_items k
     WHERE NOT EXISTS (SELECT FROM webhook_facts f WHERE f.fact_id = k.fact_id)
     LIMIT ${limit} FOR UPDATE OF k SKIP LOCKED))`,
)
