// Deletes deliveries after 31 days, and kept copies of items whose facts are handled.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { prunes } from '../../../store/bounded_change.ts'
import { change, command } from '../../../store/statement.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

/** So many rows of a piece of other chores, because each look passes everything that was deleted since the last vacuum. */
const TIMES = 10

/** Deletes at most ten times `limit` rows. Returns how many, 0 while the operator has switched pruning off. */
export const pruneDeliveries = async (em: EntityManager, limit: number): Promise<number> =>
  (await readFeatureFlag(em, 'webhooks.prune')) ? change(em, PRUNE({ limit: limit * TIMES })) : 0

/**
 * By their places, because finding the rows again by id would cost as much as the deletion. It locks no row first, because each
 * lock is another record in the log. A row that is changed meanwhile gets another place and goes with a later piece, and what
 * another server deletes at the same time is deleted once. Indexes: webhook_deliveries_inserted_at or webhook_deliveries_age.
 */
const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE inserted_at < pharos_now() - interval '31 days'
     LIMIT ${limit}))`,
)

/**
 * Deletes copies that are no longer read. A change that saw a block in the queue can commit its copy after the block
 * has left the queue.
 */
export const pruneKeptItems = prunes(
  'webhook_kept_items',
  sql`NOT EXISTS (SELECT FROM webhook_facts f WHERE f.fact_id = webhook_kept_items.fact_id)`,
)
