// Deletes deliveries after 31 days, and kept copies of items whose facts are handled.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { text } from '../../../store/columns.ts'
import { change, command, rows, statement } from '../../../store/statement.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

const IS_PAST = sql`inserted_at < pharos_now() - interval '31 days'`

/**
 * Returns a function that deletes at most `limit` rows and returns how many, 0 while the operator has switched pruning
 * off. Call it again while it returns `limit`.
 */
export function deliveryPruning(manager: () => EntityManager): (limit: number) => Promise<number> {
  let found: readonly string[] = []
  return async (limit) => {
    const em = manager()
    if (!(await readFeatureFlag(em, 'webhooks.prune'))) return 0
    if (found.length === 0)
      found = (await rows(em, PAST({ limit: limit * PIECES }))).map(({ place }) => place)
    const piece = found.slice(0, limit)
    found = found.slice(limit)
    return piece.length === 0 ? 0 : change(em, PRUNE({ piece }))
  }
}

/**
 * Pieces that are looked for at once, few enough to be read quickly. Each look passes everything that was deleted since
 * the last vacuum, so a look for each piece would take longer with every piece.
 */
const PIECES = 20

/** Places of rows, because finding them again by id would cost as much as the deletion. Index: webhook_deliveries_age. */
const PAST = statement(
  { place: text },
  ({ limit }: { limit: number }) => sql`
  SELECT ctid::text AS place FROM webhook_deliveries WHERE ${IS_PAST} LIMIT ${limit}`,
)

/** Looks again whether a row is past, because its place may hold another row by now. A row that moved is left to the next look. */
const PRUNE = command(
  ({ piece }: { piece: readonly string[] }) => sql`
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE ctid = ANY (${piece}::tid[]) AND ${IS_PAST} FOR UPDATE SKIP LOCKED))`,
)

/**
 * Deletes copies that are no longer read. A change that saw a block in the queue can commit its copy after the block
 * has left the queue.
 */
export const pruneKeptItems = (em: EntityManager, limit: number): Promise<number> =>
  change(em, PRUNE_KEPT({ limit }))

const PRUNE_KEPT = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_kept_items WHERE ctid = ANY (ARRAY(
    SELECT k.ctid FROM webhook_kept_items k
     WHERE NOT EXISTS (SELECT FROM webhook_facts f WHERE f.fact_id = k.fact_id)
     LIMIT ${limit} FOR UPDATE OF k SKIP LOCKED))`,
)
