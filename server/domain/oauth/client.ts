// Registered clients: by an operator, for good, or by themselves (RFC 7591), until nobody has used them for a while.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, nullable, text, texts } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, rows } from '../../store/run.ts'
import { command, type RowFrom, statement } from '../../store/statement.ts'
import { secretHash } from './stored_payload.ts'

export const newClientSecret = (): { secret: string; hash: Buffer } => {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: secretHash(secret) }
}

export type AuthMethod = NonNullable<(typeof TABLES.oauth_clients.auth_method)['read']>

export const AUTH_METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post']

export interface NewClient {
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
export const CLIENT_KEPT = { unusedHours: 24, notedEverySeconds: 60, usedDays: 90 } as const

/** Registers a client of an operator, for good. What registers itself is let in by `admit_client.ts`. */
export async function saveClient(em: EntityManager, client: NewClient): Promise<void> {
  await change(em, INSERT(client))
}

const INSERT = command(
  ({ id, name, redirectUris, authMethod, secretHash }: NewClient) => sql`
  INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, secret_hash)
  VALUES (${id}, 'operator', ${name}, ${redirectUris}::text[], ${authMethod}, ${secretHash})`,
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

type StoredClient = RowFrom<typeof FIND>

export const findClient = async (em: EntityManager, id: string): Promise<StoredClient | undefined> =>
  (await rows(em, FIND({ id })))[0]

const FIND = statement(
  STORED,
  ({ id }: { id: string }) => sql`
  SELECT id, registered_by, name, redirect_uris, auth_method, secret_hash, unix_ms(inserted_at) AS inserted_at
    FROM oauth_clients WHERE id = ${id} AND (expires_at IS NULL OR expires_at > pharos_now())`,
)

/** A person was sent here by it, and may take a while to sign in. Does nothing for other clients than unused ones. */
export async function noteClientAsked(em: EntityManager, id: string): Promise<void> {
  await change(em, ASKED({ id }))
}

const ASKED = command(
  ({ id }: { id: string }) => sql`
  UPDATE oauth_clients SET expires_at = pharos_now() + ${sql.lit(CLIENT_KEPT.unusedHours)} * interval '1 hour'
   WHERE id = ${id} AND granted_at IS NULL AND registered_by = 'client' AND expires_at > pharos_now()
     AND expires_at < pharos_now() + ${sql.lit(CLIENT_KEPT.unusedHours)} * interval '1 hour'
                    - ${sql.lit(CLIENT_KEPT.notedEverySeconds)} * interval '1 second'`,
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
export const listClients = (em: EntityManager, limit: number): Promise<readonly StoredClient[]> =>
  rows(em, LIST({ limit }))

const LIST = statement(
  STORED,
  ({ limit }: { limit: number }) => sql`
  SELECT id, registered_by, name, redirect_uris, auth_method, secret_hash, unix_ms(inserted_at) AS inserted_at
    FROM oauth_clients WHERE expires_at IS NULL OR expires_at > pharos_now()
   ORDER BY inserted_at DESC, id DESC LIMIT ${limit}`,
)

/** Deletes the client, and every grant that was given to it. Returns false when there is neither. */
export async function revokeClient(em: EntityManager, id: string): Promise<boolean> {
  const clients = await change(em, DELETE({ id }))
  return (await change(em, DELETE_GRANTS({ id }))) + clients > 0
}

const DELETE = command(({ id }: { id: string }) => sql`DELETE FROM oauth_clients WHERE id = ${id}`)

/** Index: oauth_grants_client. */
const DELETE_GRANTS = command(
  ({ id }: { id: string }) => sql`DELETE FROM oauth_grants WHERE client_id = ${id}`,
)
