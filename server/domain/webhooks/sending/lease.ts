// The lease of an endpoint, which admits one worker at a time to it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, int4, nullable, type RowOf, text } from '../../../store/columns.ts'
import { type Columnwise, columnwise } from '../../../store/columnwise.ts'
import { TABLES } from '../../../store/database.ts'
import { change, preparedCommand, preparedStatement, rows, type Sql } from '../../../store/statement.ts'

/**
 * Seconds. The worker renews the lease before each batch. If it crashes, another worker takes over after this time.
 */
export const LEASE_SECONDS = 30

/**
 * True when no worker has the lease. A lease that ends impossibly late was written before the clock was set back and
 * counts as ended.
 */
export const isFree = (endpoint: string): Sql => {
  const until = sql.ref(`${endpoint}.leased_until`)
  const longest = sql.lit(2 * LEASE_SECONDS)
  return sql`(${until} IS NULL OR ${until} <= pharos_now() OR ${until} > pharos_now() + ${longest} * interval '1 second')`
}

/** A leased endpoint, with its secrets still sealed. */
export const LEASED_ROW = {
  id: text,
  url: text,
  auth_type: TABLES.webhook_endpoints.auth_type,
  sealed_auth_secret: nullable(bytes),
  sealed_custom_headers: nullable(bytes),
  sealed_signing_keys: nullable(bytes),
  enabled: bool,
  max_per_second: nullable(int4),
  lease_id: nullable(text),
  /** In the text form of the database. A different value means that the owner has changed the endpoint. */
  updated_at: text,
}

export type Leased = RowOf<typeof LEASED_ROW>

/** An endpoint and the worker that wants it. */
export interface WantedLease {
  readonly endpointId: string
  readonly leaseId: string
}

/**
 * Takes the leases, or renews those that the worker already has. Returns the result by the id of the lease. An endpoint
 * is `busy` when another worker has it, `locked` when its row is being changed, and `gone` when it is deleted.
 */
export async function leaseEndpoints(
  em: EntityManager,
  wanted: readonly WantedLease[],
): Promise<ReadonlyMap<string, Leased | 'busy' | 'locked' | 'gone'>> {
  const ids = wanted.map(({ endpointId }) => endpointId)
  const leased = await rows(em, LEASE({ ids, leases: wanted.map(({ leaseId }) => leaseId) }))
  const byLease = new Map(leased.map((one) => [one.lease_id, one]))
  const known = new Map<string, 'busy' | 'locked'>()
  if (leased.length < wanted.length)
    for (const { id, is_free } of await rows(em, KNOWN({ ids }))) known.set(id, is_free ? 'locked' : 'busy')
  return new Map(
    wanted.map(({ endpointId, leaseId }) => [
      leaseId,
      byLease.get(leaseId) ?? known.get(endpointId) ?? 'gone',
    ]),
  )
}

/**
 * Waits for no lock, because two of these statements could then wait for each other. When several workers want the same
 * endpoint, one of them gets it.
 */
const LEASE = preparedStatement(
  LEASED_ROW,
  ({ ids, leases }: { ids: readonly string[]; leases: readonly string[] }) => sql`
  WITH free AS (
    SELECT e.id, w.lease
      FROM unnest(${ids}::text[], ${leases}::text[]) AS w (id, lease) JOIN webhook_endpoints e ON e.id = w.id
     WHERE e.lease_id = w.lease OR ${isFree('e')}
       FOR NO KEY UPDATE OF e SKIP LOCKED)
  UPDATE webhook_endpoints e
     SET lease_id = free.lease, leased_until = pharos_now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'
    FROM free WHERE e.id = free.id
  RETURNING e.id, e.url, e.auth_type, e.sealed_auth_secret, e.sealed_custom_headers, e.sealed_signing_keys, e.enabled,
            e.max_per_second, e.lease_id, e.updated_at::text`,
)

const KNOWN = preparedStatement(
  { id: text, is_free: bool },
  ({ ids }: { ids: readonly string[] }) =>
    sql`SELECT e.id, ${isFree('e')} AS is_free FROM webhook_endpoints e WHERE e.id = ANY (${ids}::text[])`,
)

/** With `restSeconds`, no worker may lease the endpoint for this time. */
export interface Released extends WantedLease {
  readonly restSeconds: number
}

export const releaseEndpoints = (em: EntityManager, released: readonly Released[]): Promise<number> =>
  change(em, RELEASE(columnwise(released, 'endpointId', 'leaseId', 'restSeconds')))

const RELEASE = preparedCommand(
  ({ endpointId, leaseId, restSeconds }: Columnwise<Released>) => sql`
  UPDATE webhook_endpoints e
     SET lease_id = NULL,
         leased_until = CASE WHEN r.rest > 0 THEN pharos_now() + r.rest * interval '1 second' END
    FROM unnest(${endpointId}::text[], ${leaseId}::text[], ${restSeconds}::float8[]) AS r (id, lease, rest)
   WHERE e.id = r.id AND e.lease_id = r.lease`,
)
