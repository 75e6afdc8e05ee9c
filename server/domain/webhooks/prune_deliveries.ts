// Forgets what is past: deliveries after 31 days, and what was kept for facts that are worked off.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import { readFeatureFlag } from '../accounts/feature_flag.ts'

const KEPT_DAYS = 31

/**
 * One bounded DELETE, none while the operator has switched it off; call again while it is full. By the rows' places: to
 * find them again by id costs as much as to delete them, and one that moves meanwhile is left to the next piece.
 * Index: webhook_deliveries_age.
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

/** Changes that saw a block in the queue and were committed after it had left: nobody reads what they kept. */
export const pruneKeptItems = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE_KEPT({ limit }))

const PRUNE_KEPT = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_kept_items WHERE ctid = ANY (ARRAY(
    SELECT k.ctid FROM webhook_kept_items k
     WHERE NOT EXISTS (SELECT FROM webhook_facts f WHERE f.fact_id = k.fact_id)
     LIMIT ${limit} FOR UPDATE OF k SKIP LOCKED))`,
)
