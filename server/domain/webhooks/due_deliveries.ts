// The deliveries as a queue: finds endpoints with due deliveries, leases them, and reads their next deliveries.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, float8, int4, nullable, type RowOf, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, db, row, rows } from '../../store/run.ts'
import { command, type RowFrom, type Sql, statement } from '../../store/statement.ts'
import { readableItem } from '../ledger/readable_item.ts'

/**
 * Seconds. The worker renews the lease before each batch. If it crashes, another worker takes over after this time.
 */
export const LEASE_SECONDS = 30

/**
 * True when no worker has the lease. A lease that ends impossibly late was written before the clock was set back and
 * counts as ended.
 */
const isFree = (endpoint: string): Sql => {
  const until = sql.ref(`${endpoint}.leased_until`)
  const longest = sql.lit(2 * LEASE_SECONDS)
  return sql`(${until} IS NULL OR ${until} <= pharos_now() OR ${until} > pharos_now() + ${longest} * interval '1 second')`
}

/**
 * Endpoints with due deliveries and no lease. Owners alternate: first the longest waiting endpoint of each owner,
 * then the second of each. Also returns deleted endpoints that have pending deliveries, so that these are cancelled.
 * Costs two index reads in webhook_deliveries_due per endpoint with pending deliveries, for any number of deliveries.
 */
export async function dueEndpoints({ em }: { em: EntityManager }, limit: number): Promise<string[]> {
  await followClockBack({ em })
  const due = await rows(em, DUE_ENDPOINTS({ limit }))
  return due.map(({ endpoint_id }) => endpoint_id)
}

/**
 * Repairs rows with a time in the future, which were written before the clock was set back. Each waits its original
 * delay from now on. Handles a bounded number of rows; the next look handles more. Index: webhook_deliveries_written.
 */
export const followClockBack = ({ em }: { em: EntityManager }): Promise<number> =>
  change(em, FOLLOW_CLOCK_BACK)

const CLOCK_PIECE = 2_000

/** Tolerance, because a statement can see rows that were written after its own start time. */
const SLACK_SECONDS = 10

const FOLLOW_CLOCK_BACK = command(sql`
  WITH later AS (
    SELECT id FROM webhook_deliveries
     WHERE status = 'pending' AND updated_at > pharos_now() + ${sql.lit(SLACK_SECONDS)} * interval '1 second'
     ORDER BY updated_at LIMIT ${sql.lit(CLOCK_PIECE)} FOR UPDATE SKIP LOCKED)
  UPDATE webhook_deliveries d
     SET next_attempt_at = pharos_now() + greatest(interval '0', d.next_attempt_at - d.updated_at),
         updated_at = pharos_now()
    FROM later WHERE d.id = later.id AND d.status = 'pending'`)

/** How many seconds the oldest due delivery is late. 0 when none is due. */
export async function queueAge({ em }: { em: EntityManager }): Promise<number> {
  return (await row(em, OLDEST)).age
}

const WAITING = sql`
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL)`

const FIRST_OF_EACH = sql`
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d
     WHERE d.endpoint_id = w.endpoint_id AND d.status = 'pending'
     ORDER BY d.next_attempt_at LIMIT 1) AS first`

const OLDEST = statement(
  { age: float8 },
  sql`
  ${WAITING}
  SELECT greatest(0, extract(epoch FROM pharos_now() - min(first.next_attempt_at)))::float8 AS age
    FROM waiting w ${FIRST_OF_EACH}`,
)

const DUE_ENDPOINTS = statement(
  { endpoint_id: text },
  ({ limit }: { limit: number }) => sql`
  ${WAITING}
  SELECT w.endpoint_id
    FROM waiting w LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id ${FIRST_OF_EACH}
   WHERE e.id IS NULL
      OR (first.next_attempt_at <= pharos_now() AND ${isFree('e')})
   ORDER BY row_number() OVER (PARTITION BY e.user_id ORDER BY first.next_attempt_at), first.next_attempt_at
   LIMIT ${limit}`,
)

/**
 * The owner and the host of each endpoint, which decide the lanes that it uses while it is handled. Deleted endpoints
 * are missing.
 */
export async function endpointClaims(
  { em }: { em: EntityManager },
  ids: readonly string[],
): Promise<Map<string, { readonly owner: string; readonly host: string }>> {
  const found = await rows(em, CLAIMS({ ids }))
  return new Map(found.map(({ id, user_id, url }) => [id, { owner: user_id, host: new URL(url).hostname }]))
}

const CLAIMS = statement(
  { id: text, user_id: text, url: text },
  ({ ids }: { ids: readonly string[] }) =>
    sql`SELECT id, user_id, url FROM webhook_endpoints WHERE id = ANY (${ids}::text[])`,
)

/** A leased endpoint, with its secrets still sealed. */
export const LEASED_ROW = {
  id: text,
  url: text,
  auth_type: TABLES.webhook_endpoints.auth_type,
  sealed_auth_secret: nullable(bytes),
  sealed_custom_headers: nullable(bytes),
  enabled: bool,
  /** In the text form of the database. A different value means that the owner has changed the endpoint. */
  updated_at: text,
}

export type Leased = RowOf<typeof LEASED_ROW>

/**
 * Takes the lease, or renews it if `leaseId` already has it. Returns `busy` when another worker has it and `gone`
 * when the endpoint is deleted.
 */
export async function leaseEndpoint(
  { em }: { em: EntityManager },
  id: string,
  leaseId: string,
): Promise<Leased | 'busy' | 'gone'> {
  const [leased] = await rows(em, LEASE({ id, leaseId }))
  if (leased !== undefined) return leased
  const known = await db(em)
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return known === undefined ? 'gone' : 'busy'
}

const LEASE = statement(
  LEASED_ROW,
  ({ id, leaseId }: { id: string; leaseId: string }) => sql`
  UPDATE webhook_endpoints e
     SET lease_id = ${leaseId}, leased_until = pharos_now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'
   WHERE id = ${id} AND (lease_id = ${leaseId} OR ${isFree('e')})
  RETURNING id, url, auth_type, sealed_auth_secret, sealed_custom_headers, enabled, updated_at::text`,
)

/** @param restSeconds no worker may lease the endpoint for this time */
export const releaseEndpoint = (
  { em }: { em: EntityManager },
  id: string,
  leaseId: string,
  restSeconds = 0,
): Promise<number> => change(em, RELEASE({ id, leaseId, restSeconds }))

const RELEASE = command(
  ({ id, leaseId, restSeconds }: { id: string; leaseId: string; restSeconds: number }) => sql`
  UPDATE webhook_endpoints
     SET lease_id = NULL,
         leased_until = CASE WHEN ${restSeconds}::float8 > 0 THEN pharos_now() + ${restSeconds} * interval '1 second' END
   WHERE id = ${id} AND lease_id = ${leaseId}`,
)

/** The next deliveries of an endpoint, longest due first. Index: webhook_deliveries_due. */
export const dueDeliveries = (
  { em }: { em: EntityManager },
  endpointId: string,
  limit: number,
): Promise<readonly DueDelivery[]> => rows(em, DUE_DELIVERIES({ endpointId, limit }))

/**
 * After an item is deleted, its last readers are not known. So the submitter gets all its events, and others get only
 * the deletion, if they could read the item at that time.
 */
const DUE_DELIVERIES = statement(
  {
    id: text,
    message_id: text,
    event_type: text,
    payload: text,
    attempts: int4,
    is_sample: bool,
    /** Whether the endpoint's owner may read the item, by the present visibility and memberships. */
    may_read: bool,
  },
  ({ endpointId, limit }: { endpointId: string; limit: number }) => sql`
  SELECT d.id, d.message_id, d.event_type, d.payload, d.attempts, d.is_sample,
         CASE WHEN i.id IS NOT NULL THEN ${readableItem('i', sql`d.user_id`)}
              WHEN d.event_type = 'item.deleted' THEN ${readableItem('d', sql`d.user_id`)}
              ELSE d.creator_id = d.user_id END AS may_read
    FROM webhook_deliveries d LEFT JOIN items i ON i.id = d.resource_id
   WHERE d.endpoint_id = ${endpointId} AND d.status = 'pending' AND d.next_attempt_at <= pharos_now()
   ORDER BY d.next_attempt_at, d.id
   LIMIT ${limit}`,
)

export type DueDelivery = RowFrom<typeof DUE_DELIVERIES>
