// An endpoint: the address and the events that its owner chose, its sealed secrets, and its end.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../../kernel/refusal.ts'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { TABLES } from '../../../store/database.ts'
import { type PlainRow, rowReader } from '../../../store/row_reader.ts'
import { openUnder, type Sealing, seal } from '../../../store/seal.ts'
import { db, inTransaction, NOW } from '../../../store/statement.ts'
import { cancelPending } from '../deliveries/cancel_pending.ts'

/** `push`: deliveries are sent to its address. `pull`: its owner reads them, and it has no address. */
export const ENDPOINT_KINDS = ['push', 'pull'] as const
export type EndpointKind = (typeof ENDPOINT_KINDS)[number]

export const AUTH_TYPES = ['none', 'bearer'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

/**
 * `manual` means that the owner disabled it. `failing` means that the service disabled it after many failures, and `gone`
 * after the receiver had answered 410.
 */
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const

export type WebhookEndpoint = PlainRow<typeof TABLES.webhook_endpoints>

export const endpointOf = rowReader(TABLES.webhook_endpoints)

const SECRET = 'webhook_endpoints.sealed_auth_secret'
const HEADERS = 'webhook_endpoints.sealed_custom_headers'

/** @throws master_key_changed */
export const sealSecret = (sealing: Sealing, id: string, secret: string): Promise<Buffer> =>
  seal(sealing, SECRET, id, Buffer.from(secret))

/** @throws SealBroken */
export const openSecret = (masterKey: MasterKey, id: string, sealed: Uint8Array): string =>
  openUnder(masterKey, SECRET, id, sealed).toString()

/** Names and values in the order in which they were given. */
export type CustomHeaders = readonly (readonly [name: string, value: string])[]

/** @throws master_key_changed */
export const sealHeaders = (sealing: Sealing, id: string, headers: CustomHeaders): Promise<Buffer> =>
  seal(sealing, HEADERS, id, Buffer.from(JSON.stringify(headers)))

/** @throws SealBroken */
export const openHeaders = (masterKey: MasterKey, id: string, sealed: Uint8Array): CustomHeaders =>
  JSON.parse(openUnder(masterKey, HEADERS, id, sealed).toString())

/**
 * Deletes an endpoint of the user and returns its last values. Pending deliveries are cancelled. Past deliveries
 * stay.
 * @throws not_found
 */
export function deleteEndpoint(
  em: EntityManager,
  { id, userId }: { id: string; userId: string },
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const columns = await db(tx)
      .deleteFrom('webhook_endpoints')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst()
    if (columns === undefined) throw refuse('not_found')
    // One piece, which is nearly always enough. The delivery loop cancels the rest.
    await cancelPending(tx, id, 'the endpoint was deleted')
    return endpointOf(columns)
  })
}

/**
 * Nothing more is sent to them: the delivery loop cancels what waits. They stay off when the account is enabled again,
 * until the owner switches them on. Returns how many there were. Index: webhook_endpoints_user.
 */
export async function disableEndpointsOf(em: EntityManager, userId: string): Promise<number> {
  const done = await db(em)
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: 'manual', updated_at: NOW })
    .where('id', 'in', (from) =>
      from
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('user_id', '=', userId)
        .where('enabled', '=', true)
        // In the order in which outcomes of attempts lock them, so that neither waits for the other for ever.
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}
