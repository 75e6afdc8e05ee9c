// An endpoint: the address and the events that its owner chose, and its sealed secrets.
import type { MasterKey } from '../../kernel/sealed.ts'
import { text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import type { SealedColumn } from '../../store/rewrap_sealed.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'

export const AUTH_TYPES = ['none', 'bearer'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

/** `manual` means that the owner disabled it. `failing` means that the service disabled it after many failures. */
export const DISABLED_REASONS = ['manual', 'failing'] as const

/** The sealed columns must never leave the domain. */
export type WebhookEndpoint = PlainRow<typeof TABLES.webhook_endpoints>

export const endpointOf = rowReader(TABLES.webhook_endpoints)

/** A value is sealed to its row and column. A sealed value that is copied to another endpoint does not open. */
const placeOf = (id: string, value: 'auth_secret' | 'custom_headers'): string =>
  `webhook_endpoints ${id} ${value}`

const ENDPOINTS = { table: 'webhook_endpoints', id: 'id', kind: text } as const

export const SEALED_SECRETS: SealedColumn<string> = Object.freeze({
  ...ENDPOINTS,
  column: 'sealed_auth_secret',
  placeOf: (id: string) => placeOf(id, 'auth_secret'),
})

export const SEALED_HEADERS: SealedColumn<string> = Object.freeze({
  ...ENDPOINTS,
  column: 'sealed_custom_headers',
  placeOf: (id: string) => placeOf(id, 'custom_headers'),
})

export const sealSecret = (masterKey: MasterKey, id: string, secret: string): Buffer =>
  masterKey.seal(Buffer.from(secret), placeOf(id, 'auth_secret'))

export const openSecret = (masterKey: MasterKey, id: string, sealed: Uint8Array): string =>
  masterKey.open(sealed, placeOf(id, 'auth_secret')).toString()

/** Names and values in the order in which they were given. */
export type CustomHeaders = readonly (readonly [name: string, value: string])[]

export const sealHeaders = (masterKey: MasterKey, id: string, headers: CustomHeaders): Buffer =>
  masterKey.seal(Buffer.from(JSON.stringify(headers)), placeOf(id, 'custom_headers'))

export const openHeaders = (masterKey: MasterKey, id: string, sealed: Uint8Array): CustomHeaders =>
  JSON.parse(masterKey.open(sealed, placeOf(id, 'custom_headers')).toString())
