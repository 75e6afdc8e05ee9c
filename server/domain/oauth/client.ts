// Registered clients: by an operator, for good, or by themselves (RFC 7591), where there is room for one more that nobody
// has allowed anything yet, until nobody has used them for a while.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { randomSecret, secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { bytes, float8, nullable, text, texts } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, command, db, row, rows, statement } from '../../store/statement.ts'
import { isFull } from './token.ts'

export const newClientSecret = (): { secret: string; hash: Buffer } => {
  const secret = randomSecret()
  return { secret, hash: secretHash(secret) }
}

export type AuthMethod = NonNullable<(typeof TABLES.oauth_clients.auth_method)['read']>

export const AUTH_METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post']

interface NewClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: AuthMethod
  readonly secretHash: Uint8Array | null
}

/**
 * How long a client is kept that registered itself: until somebody allows it something, from the last time that it sent
 * a person here, which is noted this often; and after that from its last use.
 */
const CLIENT_KEPT = { unusedHours: 24, notedEverySeconds: 60, usedDays: 90 } as const

/** Registers a client of an operator, for good. What registers itself is let in by `admitClient`. */
export async function saveClient(em: EntityManager, client: NewClient): Promise<void> {
  await change(em, INSERT(client))
}

const INSERT = command(
  ({ id, name, redirectUris, authMethod, secretHash }: NewClient) => sql`
  INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, secret_hash)
  VALUES (${id}, 'operator', ${name}, ${redirectUris}::text[], ${authMethod}, ${secretHash})`,
)

const kept = sql`${sql.lit(CLIENT_KEPT.unusedHours)} * interval '1 hour'`

/** Nobody has allowed it anything. */
const unused = sql`granted_at IS NULL AND registered_by = 'client'`

/**
 * Lets a client register itself. No registration ends a sign-in under way. Where there is no room, a client goes by which
 * nobody was sent here for as long as a sign-in may take: the idlest of the network that has most of them, or else of the
 * network itself. Without one the new client is refused.
 * @throws rate_limited
 */
export async function admitClient(
  em: EntityManager,
  client: NewClient,
  {
    network,
    signInSeconds,
  }: {
    /** Where it registers from, see `networkKey`. */
    readonly network: string
    /** How long a person may take to sign in for a client. */
    readonly signInSeconds: number
  },
): Promise<void> {
  const busySeconds = signInSeconds + CLIENT_KEPT.notedEverySeconds
  const { wait_ms } = await row(em, ADMIT({ ...client, network, busySeconds }))
  if (wait_ms === null) return
  throw refuse('rate_limited', {
    detail: 'too many applications were registered and have not been used yet',
    meta: { retry_after_ms: wait_ms },
  })
}

/**
 * Whether a client is idle is looked at again under its lock, so neither a sign-in nor a grant that begins meanwhile
 * loses its client. Of several statements at once each takes another one. Index: oauth_clients_unused, which is read
 * whole: it has a row for each client of the ceiling.
 */
const ADMIT = statement(
  { wait_ms: nullable(float8) },
  (asked: NewClient & { readonly network: string; readonly busySeconds: number }) => sql`
  WITH held AS (
      SELECT address, count(*) AS clients FROM oauth_clients WHERE ${unused} GROUP BY address),
    room AS (
      SELECT ${isFull(
        sql`coalesce(sum(clients) FILTER (WHERE address = ${asked.network}), 0)`,
        sql`coalesce(sum(clients), 0)`,
      )} AS is_full FROM held),
    most AS (
      SELECT address FROM held ORDER BY clients DESC, address = ${asked.network} DESC LIMIT 1),
    gone AS (
      DELETE FROM oauth_clients WHERE id = (
        SELECT id FROM oauth_clients
         WHERE (SELECT is_full FROM room) AND ${unused} AND address IN ((SELECT address FROM most), ${asked.network})
           AND expires_at < pharos_now() + ${kept} - ${asked.busySeconds}::float8 * interval '1 second'
         ORDER BY address = ${asked.network}, expires_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id),
    made AS (
      INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, secret_hash, address, expires_at)
      SELECT ${asked.id}, 'client', ${asked.name}, ${asked.redirectUris}::text[], ${asked.authMethod},
             ${asked.secretHash}::bytea, ${asked.network}, pharos_now() + ${kept}
       WHERE NOT (SELECT is_full FROM room) OR EXISTS (SELECT FROM gone)
      RETURNING id)
  SELECT CASE WHEN NOT EXISTS (SELECT FROM made) THEN (
    SELECT greatest(1000, unix_ms(min(expires_at) - ${kept}) + ${asked.busySeconds}::float8 * 1000 - unix_ms(pharos_now()))
      FROM oauth_clients WHERE ${unused} AND address IN ((SELECT address FROM most), ${asked.network})) END AS wait_ms`,
)

const STORED = {
  id: text,
  registered_by: TABLES.oauth_clients.registered_by,
  name: text,
  redirect_uris: texts,
  auth_method: TABLES.oauth_clients.auth_method,
  secret_hash: nullable(bytes),
  inserted_at: float8,
}

const SELECT_KEPT = sql`
  SELECT id, registered_by, name, redirect_uris, auth_method, secret_hash, unix_ms(inserted_at) AS inserted_at
    FROM oauth_clients WHERE (expires_at IS NULL OR expires_at > pharos_now())`

export const findClient = async (em: EntityManager, id: string) => (await rows(em, FIND({ id })))[0]

const FIND = statement(STORED, ({ id }: { id: string }) => sql`${SELECT_KEPT} AND id = ${id}`)

/** A person was sent here by it, and may take a while to sign in. Does nothing for other clients than unused ones. */
export async function noteClientAsked(em: EntityManager, id: string): Promise<void> {
  await change(em, ASKED({ id }))
}

const ASKED = command(
  ({ id }: { id: string }) => sql`
  UPDATE oauth_clients SET expires_at = pharos_now() + ${kept}
   WHERE id = ${id} AND ${unused} AND expires_at > pharos_now()
     AND expires_at < pharos_now() + ${kept} - ${sql.lit(CLIENT_KEPT.notedEverySeconds)} * interval '1 second'`,
)

/** A grant was given to it, or used: it is kept for longer. Written once a day at most. */
export async function noteClientUse(em: EntityManager, id: string): Promise<void> {
  await change(em, USED({ id }))
}

const USED = command(
  ({ id }: { id: string }) => sql`
  UPDATE oauth_clients
     SET granted_at = coalesce(granted_at, pharos_now()),
         expires_at = CASE WHEN registered_by = 'client' THEN pharos_now() + ${CLIENT_KEPT.usedDays} * interval '1 day' END
   WHERE id = ${id}
     AND (granted_at IS NULL OR expires_at < pharos_now() + ${CLIENT_KEPT.usedDays - 1} * interval '1 day')`,
)

/** Newest first. */
export const listClients = (em: EntityManager, limit: number) => rows(em, LIST({ limit }))

const LIST = statement(
  STORED,
  ({ limit }: { limit: number }) => sql`${SELECT_KEPT} ORDER BY inserted_at DESC, id DESC LIMIT ${limit}`,
)

/**
 * Deletes the client, and every grant that was given to it. Returns false when there is neither. Index:
 * oauth_grants_client.
 */
export async function revokeClient(em: EntityManager, id: string): Promise<boolean> {
  const clients = await db(em).deleteFrom('oauth_clients').where('id', '=', id).executeTakeFirst()
  const grants = await db(em).deleteFrom('oauth_grants').where('client_id', '=', id).executeTakeFirst()
  return clients.numDeletedRows + grants.numDeletedRows > 0n
}
