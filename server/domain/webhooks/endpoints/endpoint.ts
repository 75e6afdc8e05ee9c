// An endpoint: the address and the events that its owner chose, and its sealed secrets.
import type { MasterKey } from '../../../kernel/sealed.ts'
import { TABLES } from '../../../store/database.ts'
import { type PlainRow, rowReader } from '../../../store/row_reader.ts'
import { openUnder, type Sealing, seal } from '../../../store/seal.ts'

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
