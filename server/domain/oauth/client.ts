// Registered clients: by an operator, for good, or by themselves (RFC 7591), until nobody has used them for a while.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, nullable, text, texts } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, rows } from '../../store/run.ts'
import { command, type RowFrom, statement } from '../../store/statement.ts'

export type AuthMethod = NonNullable<(typeof TABLES.oauth_clients.auth_method)['read']>

export const AUTH_METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post']

export interface NewClient {
  readonly id: string
  readonly registeredBy: 'operator' | 'client'
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: AuthMethod
  readonly secretHash: Uint8Array | null
  /** The address key that it was registered from. Empty for an operator. */
  readonly address: string
}

/** Days and hours that a client is kept that registered itself. */
const CLIENT_KEPT = { unusedHours: 24, usedDays: 90 } as const

/**
 * The most clients without any grant that are kept, of one address and in all. Beyond them the oldest go, so a flood
 * fills no disk, and one address pushes out its own first.
 */
const MOST_UNUSED = { ofAddress: 50, inAll: 10_000 } as const

/** The most rows that one registration deletes. Each adds one, so it catches up. */
const AT_ONCE = 100

export async function saveClient({ em }: { em: EntityManager }, client: NewClient): Promise<void> {
  await change(em, INSERT(client))
  if (client.registeredBy === 'operator') return
  await change(em, DROP_OLDEST_OF({ address: client.address }))
  await change(em, DROP_OLDEST)
}

const INSERT = command(
  (client: NewClient) => sql`
  INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, secret_hash, address, expires_at)
  VALUES (${client.id}, ${client.registeredBy}, ${client.name}, ${client.redirectUris}::text[], ${client.authMethod},
          ${client.secretHash}, ${client.address},
          CASE WHEN ${client.registeredBy} = 'client' THEN pharos_now() + ${CLIENT_KEPT.unusedHours} * interval '1 hour' END)`,
)

/** Index: oauth_clients_unused_of. */
const DROP_OLDEST_OF = command(
  ({ address }: { address: string }) => sql`
  DELETE FROM oauth_clients WHERE id = ANY (ARRAY(
    SELECT id FROM oauth_clients
     WHERE granted_at IS NULL AND registered_by = 'client' AND address = ${address}
     ORDER BY inserted_at DESC, id DESC OFFSET ${MOST_UNUSED.ofAddress} LIMIT ${AT_ONCE}))`,
)

/** Index: oauth_clients_unused. */
const DROP_OLDEST = command(
  sql`
  DELETE FROM oauth_clients WHERE id = ANY (ARRAY(
    SELECT id FROM oauth_clients WHERE granted_at IS NULL AND registered_by = 'client'
     ORDER BY inserted_at DESC, id DESC OFFSET ${MOST_UNUSED.inAll} LIMIT ${AT_ONCE}))`,
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

export type StoredClient = RowFrom<typeof FIND>

export const findClient = async (
  { em }: { em: EntityManager },
  id: string,
): Promise<StoredClient | undefined> => (await rows(em, FIND({ id })))[0]

const FIND = statement(
  STORED,
  ({ id }: { id: string }) => sql`
  SELECT id, registered_by, name, redirect_uris, auth_method, secret_hash, unix_ms(inserted_at) AS inserted_at
    FROM oauth_clients WHERE id = ${id} AND (expires_at IS NULL OR expires_at > pharos_now())`,
)

/** A grant was given to it, or used: it is kept for longer. Written once a day at most. */
export async function noteClientUse({ em }: { em: EntityManager }, id: string): Promise<void> {
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
export const listClients = ({ em }: { em: EntityManager }, limit: number): Promise<readonly StoredClient[]> =>
  rows(em, LIST({ limit }))

const LIST = statement(
  STORED,
  ({ limit }: { limit: number }) => sql`
  SELECT id, registered_by, name, redirect_uris, auth_method, secret_hash, unix_ms(inserted_at) AS inserted_at
    FROM oauth_clients WHERE expires_at IS NULL OR expires_at > pharos_now()
   ORDER BY inserted_at DESC, id DESC LIMIT ${limit}`,
)

/** Deletes the client, and every grant that was given to it. Returns false when there is neither. */
export async function revokeClient({ em }: { em: EntityManager }, id: string): Promise<boolean> {
  const clients = await change(em, DELETE({ id }))
  return (await change(em, DELETE_GRANTS({ id }))) + clients > 0
}

const DELETE = command(({ id }: { id: string }) => sql`DELETE FROM oauth_clients WHERE id = ${id}`)

/** Index: oauth_grants_client. */
const DELETE_GRANTS = command(
  ({ id }: { id: string }) => sql`DELETE FROM oauth_grants WHERE client_id = ${id}`,
)
