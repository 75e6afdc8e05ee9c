// Turns facts into deliveries, a bounded number per transaction. It finds the endpoints that want the event and whose
// owners may read the item.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { int4, nullable, text, texts } from '../../../store/columns.ts'
import {
  change,
  command,
  db,
  inTransaction,
  presentColumn,
  row,
  type Sql,
  statement,
} from '../../../store/statement.ts'
import { readableItem } from '../../ledger/item.ts'
import { newDeliveryIds, newMessageIds, payloadSql } from '../deliveries/delivery.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'

/** The result of one call. Call again while `more` is true. */
interface FannedOut {
  readonly made: number
  /** Endpoints that have due deliveries now. */
  readonly endpointIds: readonly string[]
  readonly more: boolean
}

/**
 * Maximum number of facts, leaves of a block and new deliveries per transaction. Facts and leaves are limited further
 * by `fitting`, because each costs as much as there are endpoints that may want it.
 */
const PIECE = { facts: 200, leaves: 10_000, deliveries: 2_000 } as const

/**
 * Any number of servers may call this at once, because each skips facts that another one has locked. A fact leaves
 * the queue in the transaction that makes its last delivery. So after a crash no fact or delivery is lost or made
 * twice.
 */
export async function fanOut(em: EntityManager): Promise<FannedOut> {
  const waiting = await db(em).selectFrom('webhook_facts').select('fact_id').limit(1).executeTakeFirst()
  if (waiting === undefined) return NOTHING
  const items = await inTransaction(em, fanOutItems)
  const block = await inTransaction(em, fanOutBlock)
  return {
    made: items.made + block.made,
    endpointIds: [...new Set([...items.endpointIds, ...block.endpointIds])],
    more: items.more || block.more,
  }
}

const NOTHING: FannedOut = { made: 0, endpointIds: [], more: false }

/** Locked for this transaction, in their order. @param height `is` null for those of items, and of blocks it `is not` */
const waitingFacts = (em: EntityManager, height: 'is' | 'is not') =>
  db(em)
    .selectFrom('webhook_facts')
    .select('fact_id')
    .where('height', height, null)
    .orderBy('fact_id')
    .forUpdate()
    .skipLocked()

async function fanOutItems(em: EntityManager): Promise<FannedOut> {
  const taken = await waitingFacts(em, 'is').limit(PIECE.facts).execute()
  if (taken.length === 0) return NOTHING
  const { count, room } = await row(em, FITTING_FACTS({ ids: taken.map(({ fact_id }) => fact_id) }))
  const ids = taken.slice(0, count).map(({ fact_id }) => fact_id)
  const made = await row(em, MAKE_OF_ITEMS({ ...newIds(room), facts: ids }))
  if (made.picked < room) await change(em, REMOVE_FACTS({ ids, before: null }))
  else {
    const at = presentColumn(made.place)
    await change(em, REMOVE_FACTS({ ids, before: at }))
    await db(em)
      .updateTable('webhook_facts')
      .set({ after_endpoint: presentColumn(made.endpoint) })
      .where('fact_id', '=', at)
      .execute()
  }
  return { made: made.made, endpointIds: made.endpoint_ids, more: true }
}

async function fanOutBlock(em: EntityManager): Promise<FannedOut> {
  const block = await waitingFacts(em, 'is not').limit(1).executeTakeFirst()
  if (block === undefined) return NOTHING
  const { beyond, room } = await row(em, FITTING_LEAVES({ fact: block.fact_id }))
  const made = await row(em, MAKE_OF_LEAVES({ ...newIds(room), fact: block.fact_id, beyond }))
  const continueFrom = (next_item: string, after_endpoint: string) =>
    db(em)
      .updateTable('webhook_facts')
      .set({ next_item, after_endpoint })
      .where('fact_id', '=', block.fact_id)
      .execute()
  if (made.picked === room) await continueFrom(presentColumn(made.place), presentColumn(made.endpoint))
  else if (beyond !== null) await continueFrom(beyond, '')
  else {
    await db(em).deleteFrom('webhook_facts').where('fact_id', '=', block.fact_id).execute()
    await db(em).deleteFrom('webhook_kept_items').where('fact_id', '=', block.fact_id).execute()
  }
  return { made: made.made, endpointIds: made.endpoint_ids, more: true }
}

const MOST = sql.lit(PIECE.deliveries)
const LEAVES = sql.lit(PIECE.leaves)

/**
 * Returns how many of `next` (place, n from 1, creator_id, team_id), in order, can be handled with at most `MOST`
 * deliveries, but at least one. Counts endpoints for all events, grouped by owner and team, so the work is the number
 * of rows plus the number of their endpoints, not the product. `room` is the number of ids to draw, one more than
 * needed. Both are columns of `fit`. Indexes: webhook_endpoints_user, webhook_endpoints_team.
 */
const fitting = (next: Sql, all: Sql): Sql => sql`
  WITH next AS MATERIALIZED (${next}),
  own AS (
    SELECT user_id, count(*) AS n FROM webhook_endpoints
     WHERE team_filter_id IS NULL AND user_id IN (SELECT creator_id FROM next) GROUP BY user_id),
  of_team AS (
    SELECT team_filter_id, count(*) AS n FROM webhook_endpoints
     WHERE team_filter_id IN (SELECT team_id FROM next) GROUP BY team_filter_id),
  summed AS (
    SELECT next.n, sum(coalesce(own.n, 0) + coalesce(of_team.n, 0)) OVER (ORDER BY next.n) AS upto
      FROM next LEFT JOIN own ON own.user_id = next.creator_id
                LEFT JOIN of_team ON of_team.team_filter_id = next.team_id),
  fit AS (
  SELECT greatest(1, coalesce((SELECT min(n) - 1 FROM summed WHERE upto > ${MOST}), ${all}))::int AS count,
         least(${MOST}, 1 + coalesce((SELECT max(upto) FROM summed WHERE upto <= ${MOST}), ${MOST}))::int AS room)`

const FITTING_FACTS = statement(
  { count: int4, room: int4 },
  ({ ids }: { ids: readonly string[] }) => sql`
  ${fitting(
    sql`SELECT row_number() OVER (ORDER BY fact_id) AS n, creator_id, team_id
     FROM webhook_facts WHERE fact_id = ANY (${ids}::bigint[])`,
    sql`cardinality(${ids}::bigint[])`,
  )}
  SELECT count, room FROM fit`,
)

/**
 * The leaves of items from the next one of the fact's block on. The scalar subqueries make it one range of
 * block_leaves_pkey.
 */
const leavesOf = (fact: string, condition: Sql): Sql => sql`
  SELECT l.subject_id FROM block_leaves l
   WHERE l.height = (SELECT height FROM webhook_facts WHERE fact_id = ${fact}::bigint)
     AND l.subject_id >= (SELECT greatest(b.first_item_id, f.next_item)
                            FROM webhook_facts f JOIN blocks b ON b.height = f.height WHERE f.fact_id = ${fact}::bigint)
     AND l.subject_id <= (SELECT b.last_item_id
                            FROM webhook_facts f JOIN blocks b ON b.height = f.height WHERE f.fact_id = ${fact}::bigint)
     AND ${condition}`

/**
 * `beyond` is the first item of the block that does not fit, null when all do. An item that was deleted and not kept
 * makes no delivery.
 */
const FITTING_LEAVES = statement(
  { beyond: nullable(text), room: int4 },
  ({ fact }: { fact: string }) => sql`
  ${fitting(
    sql`SELECT row_number() OVER (ORDER BY l.subject_id) AS n, l.subject_id AS item_id,
            coalesce(k.creator_id, i.creator_id) AS creator_id, coalesce(k.team_id, i.team_id) AS team_id
       FROM (${leavesOf(fact, sql`true`)} ORDER BY l.subject_id LIMIT ${LEAVES} + 1) AS l
       LEFT JOIN webhook_kept_items k ON k.fact_id = ${fact}::bigint AND k.item_id = l.subject_id
       LEFT JOIN items i ON i.id = l.subject_id || ''`,
    LEAVES,
  )}
  SELECT (SELECT item_id FROM next WHERE n = fit.count + 1) AS beyond, room FROM fit`,
)

const MADE = {
  picked: int4,
  made: int4,
  /** The fact or item, and the endpoint, of the last row picked. */
  place: nullable(text),
  endpoint: nullable(text),
  endpoint_ids: texts,
}

/** New ids, at least as many as rows are made. */
const newIds = (count: number) => ({ ids: newDeliveryIds(count), messages: newMessageIds(count) })
type NewIds = ReturnType<typeof newIds>

const REMOVE_FACTS = command(
  ({ ids, before }: { ids: readonly string[]; before: string | null }) => sql`
  DELETE FROM webhook_facts WHERE fact_id = ANY(${ids}::bigint[]) AND (${before}::bigint IS NULL OR fact_id < ${before}::bigint)`,
)

/**
 * Finds the endpoints for each event: those that existed when the event happened and want it. Without a team filter,
 * an endpoint gets the events of all items that its owner submitted, and of its owner's endpoints. With a team filter,
 * it gets the events of all items of that team that its owner may read. Whether an endpoint is enabled is decided now.
 * `source` has place, event, creator_id, team_id, visibility, newest_endpoint and further columns that are passed
 * through.
 */
const ENDPOINTS_FOR_SOURCE = sql`
  SELECT s.*, e.id AS endpoint_id, e.user_id, e.enabled, e.kind
    FROM source s JOIN webhook_endpoints e ON e.user_id = s.creator_id AND e.team_filter_id IS NULL
   WHERE e.number <= s.newest_endpoint AND s.event = ANY (e.events)
   UNION ALL
  SELECT s.*, e.id, e.user_id, e.enabled, e.kind
    FROM source s JOIN webhook_endpoints e ON e.team_filter_id = s.team_id
   WHERE e.number <= s.newest_endpoint AND s.event = ANY (e.events) AND ${readableItem('s', sql`e.user_id`)}`

/** An event about an endpoint is not for that endpoint. */
const itemCandidates = (facts: readonly string[]): Sql => sql`
  source AS MATERIALIZED (
    SELECT fact_id AS place, fact_id, event, subject_id AS item_id, creator_id, team_id, visibility, data,
           newest_endpoint, after_endpoint AS after
      FROM webhook_facts WHERE fact_id = ANY(${facts}::bigint[])),
  candidate AS (SELECT * FROM (${ENDPOINTS_FOR_SOURCE}) AS c
                 WHERE c.endpoint_id > c.after AND c.endpoint_id <> c.item_id)`

/**
 * For items that changed after the block was made, the kept copy is used (see migration 0009). This is one statement
 * and so one snapshot, which sees either both the change and its copy, or neither.
 */
const blockCandidates = (fact: string, beyond: string | null): Sql => sql`
  block AS MATERIALIZED (SELECT * FROM webhook_facts WHERE fact_id = ${fact}::bigint),
  source AS MATERIALIZED (
    SELECT l.subject_id AS place, b.fact_id, b.event, l.subject_id AS item_id,
           coalesce(k.creator_id, i.creator_id) AS creator_id, coalesce(k.team_id, i.team_id) AS team_id,
           coalesce(k.visibility, i.visibility) AS visibility, k.data, b.newest_endpoint,
           CASE l.subject_id WHEN b.next_item THEN b.after_endpoint ELSE '' END AS after
      FROM block b
     CROSS JOIN (${leavesOf(fact, sql`(${beyond}::text IS NULL OR l.subject_id < ${beyond})`)}) AS l
      LEFT JOIN webhook_kept_items k ON k.fact_id = b.fact_id AND k.item_id = l.subject_id
      LEFT JOIN items i ON i.id = l.subject_id || ''
     WHERE k.item_id IS NOT NULL OR i.id IS NOT NULL),
  candidate AS (SELECT * FROM (${ENDPOINTS_FOR_SOURCE}) AS c WHERE c.endpoint_id > c.after)`

/** An existing delivery is not changed. */
const insertFrom = (candidates: Sql, { ids, messages }: NewIds): Sql => sql`
  WITH ${candidates},
  picked AS MATERIALIZED (
    SELECT c.*, row_number() OVER (ORDER BY c.place, c.endpoint_id) AS n
      FROM candidate c ORDER BY c.place, c.endpoint_id LIMIT cardinality(${ids}::text[])),
  made AS (
    INSERT INTO webhook_deliveries (id, user_id, endpoint_id, fact_id, event_type, resource_type, resource_id, message_id,
                                    creator_id, team_id, visibility, status, error, next_attempt_at, pull_xid, completed_at,
                                    payload)
    SELECT new.id, p.user_id, p.endpoint_id, p.fact_id, p.event, split_part(p.event, '.', 1), p.item_id, new.message_id,
           p.creator_id, coalesce(p.team_id, ''), coalesce(p.visibility, 'private'),
           CASE WHEN p.enabled THEN 'pending' ELSE 'cancelled' END,
           CASE WHEN NOT p.enabled THEN 'the endpoint is disabled' END,
           CASE WHEN p.enabled AND p.kind = 'push' THEN pharos_now() END,
           CASE WHEN p.enabled AND p.kind = 'pull' THEN pg_current_xact_id() END,
           CASE WHEN NOT p.enabled THEN pharos_now() END,
           ${payloadSql(sql`p.event`, sql`coalesce(p.data, (SELECT item_snapshot(i) FROM items i WHERE i.id = p.item_id))`)}
      FROM picked p JOIN unnest(${ids}::text[], ${messages}::text[]) WITH ORDINALITY AS new (id, message_id, n) ON new.n = p.n
        ON CONFLICT (fact_id, resource_id, endpoint_id) WHERE fact_id IS NOT NULL DO NOTHING
    RETURNING webhook_deliveries AS d),
  recorded AS (${tellListeners('delivery.created', 'made')})
  SELECT (SELECT count(*)::int FROM picked) AS picked, (SELECT count(*)::int FROM made) AS made,
         (SELECT place::text FROM picked ORDER BY n DESC LIMIT 1) AS place,
         (SELECT endpoint_id FROM picked ORDER BY n DESC LIMIT 1) AS endpoint,
         coalesce((SELECT array_agg(DISTINCT (d).endpoint_id) FROM made WHERE (d).next_attempt_at IS NOT NULL),
                  '{}') AS endpoint_ids`

const MAKE_OF_ITEMS = statement(MADE, (given: NewIds & { facts: readonly string[] }) =>
  insertFrom(itemCandidates(given.facts), given),
)

const MAKE_OF_LEAVES = statement(MADE, (given: NewIds & { fact: string; beyond: string | null }) =>
  insertFrom(blockCandidates(given.fact, given.beyond), given),
)
