// The deliveries as a queue: finds endpoints with due deliveries, and reads their next deliveries.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, float8, int4, oneOf, text } from '../../../store/columns.ts'
import { type Columnwise, columnwise } from '../../../store/columnwise.ts'
import {
  change,
  command,
  preparedStatement,
  type RowFrom,
  row,
  rows,
  type Sql,
  statement,
} from '../../../store/statement.ts'
import { readableItem } from '../../ledger/item.ts'
import { isFree } from './lease.ts'

/** Milliseconds. An endpoint is slow while its last attempt took this long. */
const SLOW_MS = 1_000

interface DuePiece {
  /** The last endpoint of the piece before. */
  readonly after?: string
  /** Seconds for which they have been due at least. */
  readonly lateSeconds?: number
  readonly limit: number
}

/**
 * Endpoints with due deliveries and no lease, in the order of their ids. Also returns deleted endpoints that have pending
 * deliveries, so that these are cancelled.
 * Costs two index reads in webhook_deliveries_due per endpoint with pending deliveries, for any number of deliveries.
 */
export async function dueEndpoints(
  em: EntityManager,
  { after = '', lateSeconds = 0, limit }: DuePiece,
): Promise<string[]> {
  if (after === '') while ((await moveDeliveriesBack(em)) === CLOCK_PIECE);
  const due = await rows(em, DUE_ENDPOINTS({ after, lateSeconds, limit }))
  return due.map(({ endpoint_id }) => endpoint_id)
}

/**
 * Repairs rows with a time in the future, which were written before the clock was set back. Each waits its original
 * delay from now on. Handles a bounded number of rows; the next call handles more. Index: webhook_deliveries_written.
 */
export const moveDeliveriesBack = (em: EntityManager): Promise<number> => change(em, FOLLOW_CLOCK_BACK)

const CLOCK_PIECE = 2_000

/** Tolerance, because a statement can see rows that were written after its own start time. */
const SLACK_SECONDS = 10

const FOLLOW_CLOCK_BACK = command(sql`
  WITH later AS (
    SELECT id FROM webhook_deliveries
     WHERE status = 'pending' AND updated_at > pharos_now() + ${sql.lit(SLACK_SECONDS)} * interval '1 second'
     ORDER BY updated_at LIMIT ${sql.lit(CLOCK_PIECE)} FOR UPDATE SKIP LOCKED)
  UPDATE webhook_deliveries d
     SET next_attempt_at = CASE WHEN d.next_attempt_at IS NOT NULL
           THEN pharos_now() + greatest(interval '0', d.next_attempt_at - d.updated_at) END,
         updated_at = pharos_now()
    FROM later WHERE d.id = later.id AND d.status = 'pending'`)

/** How many seconds the oldest due delivery is late. 0 when none is due. */
export async function queueAge(em: EntityManager): Promise<number> {
  return (await row(em, OLDEST)).age
}

const waitingAfter = (after: Sql): Sql => sql`
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' AND endpoint_id > ${after}
      ORDER BY endpoint_id LIMIT 1)
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
  ${waitingAfter(sql`''`)}
  SELECT greatest(0, extract(epoch FROM pharos_now() - min(first.next_attempt_at)))::float8 AS age
    FROM waiting w ${FIRST_OF_EACH}`,
)

const isSlow = (endpoint: string): Sql =>
  sql`coalesce(${sql.ref(`${endpoint}.last_duration_ms`)} >= ${sql.lit(SLOW_MS)}, false)`

const DUE_ENDPOINTS = statement(
  { endpoint_id: text },
  ({ after, lateSeconds, limit }: Required<DuePiece>) => sql`
  ${waitingAfter(sql`${after}`)}
  SELECT w.endpoint_id
    FROM waiting w LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id ${FIRST_OF_EACH}
   WHERE e.id IS NULL
      OR (first.next_attempt_at <= pharos_now() - ${lateSeconds}::float8 * interval '1 second' AND ${isFree('e')})
   ORDER BY w.endpoint_id
   LIMIT ${limit}`,
)

/** Whose lanes an endpoint uses while it is handled. */
export interface EndpointClaim {
  readonly owner: string
  readonly host: string
  /** By its last attempt. `unknown` before the first, and after a change of its URL. */
  readonly standing: 'prompt' | 'unknown' | 'slow'
}

/** Deleted endpoints are missing, and those that are not called. */
export async function endpointClaims(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, EndpointClaim>> {
  const found = await rows(em, CLAIMS({ ids }))
  return new Map(
    found.map(({ id, user_id, url, standing }) => [
      id,
      { owner: user_id, host: new URL(url).hostname, standing },
    ]),
  )
}

const CLAIMS = preparedStatement(
  { id: text, user_id: text, url: text, standing: oneOf('prompt', 'unknown', 'slow') },
  ({ ids }: { ids: readonly string[] }) => sql`
  SELECT e.id, e.user_id, e.url, CASE WHEN e.last_duration_ms IS NULL THEN 'unknown'
                                      WHEN ${isSlow('e')} THEN 'slow' ELSE 'prompt' END AS standing
    FROM webhook_endpoints e WHERE e.id = ANY (${ids}::text[]) AND e.kind = 'push'`,
)

/** The next deliveries of each endpoint, at most its `most`, longest due first. Index: webhook_deliveries_due. */
export const dueDeliveries = (
  em: EntityManager,
  wanted: readonly WantedDeliveries[],
): Promise<readonly DueDelivery[]> => rows(em, DUE_DELIVERIES(columnwise(wanted, 'endpointId', 'most')))

interface WantedDeliveries {
  readonly endpointId: string
  readonly most: number
}

/**
 * Milliseconds until the next delivery of each endpoint is due, 0 or less when it is. Endpoints without a pending delivery
 * are missing. Index: webhook_deliveries_due.
 */
export async function nextDue(
  em: EntityManager,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await rows(em, NEXT_DUE({ endpointIds }))
  return new Map(found.map(({ endpoint_id, wait_ms }) => [endpoint_id, wait_ms]))
}

const NEXT_DUE = preparedStatement(
  { endpoint_id: text, wait_ms: float8 },
  ({ endpointIds }: { endpointIds: readonly string[] }) => sql`
  SELECT w.endpoint_id, (extract(epoch FROM first.next_attempt_at - pharos_now()) * 1000)::float8 AS wait_ms
    FROM unnest(${endpointIds}::text[]) AS w (endpoint_id) ${FIRST_OF_EACH}
   WHERE first.next_attempt_at IS NOT NULL`,
)

/**
 * Whether the endpoint's owner may read what a delivery `d` is about, whose item, if it is still there, is `i`. After an
 * item is deleted, its last readers are not known. So the submitter gets all its events, and others get only the
 * deletion, if they could read the item at that time.
 */
export const MAY_READ = sql`
         CASE WHEN i.id IS NOT NULL THEN ${readableItem('i', sql`d.user_id`)}
              WHEN d.event_type = 'item.deleted' THEN ${readableItem('d', sql`d.user_id`)}
              ELSE d.creator_id = d.user_id END`

const DUE_DELIVERIES = preparedStatement(
  {
    id: text,
    endpoint_id: text,
    message_id: text,
    event_type: text,
    payload: text,
    attempts: int4,
    is_sample: bool,
    /** Whether the endpoint's owner may read the item, by the present visibility and memberships. */
    may_read: bool,
  },
  ({ endpointId, most }: Columnwise<WantedDeliveries>) => sql`
  SELECT d.id, d.endpoint_id, d.message_id, d.event_type, d.payload, d.attempts, d.is_sample,
         ${MAY_READ} AS may_read
    FROM unnest(${endpointId}::text[], ${most}::int[]) AS e (id, most)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= pharos_now()
      ORDER BY d.next_attempt_at, d.id
      LIMIT e.most) AS d
    LEFT JOIN items i ON i.id = d.resource_id
   ORDER BY d.next_attempt_at, d.id`,
)

export type DueDelivery = RowFrom<typeof DUE_DELIVERIES>
