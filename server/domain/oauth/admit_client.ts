// Lets a client register itself (RFC 7591), where there is room for one more that nobody has allowed anything yet.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { float8, nullable } from '../../store/columns.ts'
import { row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { CLIENT_KEPT, type NewClient } from './client.ts'
import { isFull } from './waiting_request.ts'

interface Admitting {
  /** Where it registers from, see `networkKey`. */
  readonly network: string
  /** How long a person may take to sign in for a client. */
  readonly signInSeconds: number
}

/**
 * No registration ends a sign-in under way. Where there is no room, a client goes by which nobody was sent here for as
 * long as a sign-in may take: the idlest of the network that has most of them, or else of the network itself. Without
 * one the new client is refused.
 * @throws rate_limited
 */
export async function admitClient(
  em: EntityManager,
  client: NewClient,
  { network, signInSeconds }: Admitting,
): Promise<void> {
  const busySeconds = signInSeconds + CLIENT_KEPT.notedEverySeconds
  const { wait_ms } = await row(em, ADMIT({ ...client, network, busySeconds }))
  if (wait_ms === null) return
  throw refuse('rate_limited', {
    detail: 'too many applications were registered and have not been used yet',
    meta: { retry_after_ms: wait_ms },
  })
}

const kept = sql`${sql.lit(CLIENT_KEPT.unusedHours)} * interval '1 hour'`

/** Nobody has allowed it anything. */
const unused = sql`granted_at IS NULL AND registered_by = 'client'`

/**
 * Whether a client is idle is looked at again under its lock, so neither a sign-in nor a grant that begins meanwhile
 * loses its client. Of several statements at once each takes another one. Index: oauth_clients_unused, which is read
 * whole: it has a row for each client of the ceiling.
 */
const ADMIT = statement(
  { wait_ms: nullable(float8) },
  ({
    id,
    name,
    redirectUris,
    authMethod,
    secretHash,
    network,
    busySeconds,
  }: NewClient & Pick<Admitting, 'network'> & { readonly busySeconds: number }) => sql`
  WITH held AS (
      SELECT address, count(*) AS clients FROM oauth_clients WHERE ${unused} GROUP BY address),
    room AS (
      SELECT ${isFull(
        sql`coalesce(sum(clients) FILTER (WHERE address = ${network}), 0)`,
        sql`coalesce(sum(clients), 0)`,
      )} AS is_full FROM held),
    most AS (
      SELECT address FROM held ORDER BY clients DESC, address = ${network} DESC LIMIT 1),
    gone AS (
      DELETE FROM oauth_clients WHERE id = (
        SELECT id FROM oauth_clients
         WHERE (SELECT is_full FROM room) AND ${unused} AND address IN ((SELECT address FROM most), ${network})
           AND expires_at < pharos_now() + ${kept} - ${busySeconds}::float8 * interval '1 second'
         ORDER BY address = ${network}, expires_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id),
    made AS (
      INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, secret_hash, address, expires_at)
      SELECT ${id}, 'client', ${name}, ${redirectUris}::text[], ${authMethod}, ${secretHash}::bytea, ${network},
             pharos_now() + ${kept}
       WHERE NOT (SELECT is_full FROM room) OR EXISTS (SELECT FROM gone)
      RETURNING id)
  SELECT CASE WHEN NOT EXISTS (SELECT FROM made) THEN (
    SELECT greatest(1000, unix_ms(min(expires_at) - ${kept}) + ${busySeconds}::float8 * 1000 - unix_ms(pharos_now()))
      FROM oauth_clients WHERE ${unused} AND address IN ((SELECT address FROM most), ${network})) END AS wait_ms`,
)
