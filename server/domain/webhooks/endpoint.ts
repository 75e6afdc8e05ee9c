// Where somebody wants to be told: an address, the events, and how its secrets are kept.

import type { EntityManager } from '@mikro-orm/postgresql'
import type { ResourceType } from '../../../shared/wire/webhook_events.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { plainRow } from '../../store/plain_row.ts'
import type { SealedColumn } from '../../store/rewrap_sealed.ts'
import { rows } from '../../store/rows.ts'

export const AUTH_TYPES = ['none', 'bearer'] as const
export type AuthType = (typeof AUTH_TYPES)[number]

/** `manual`: its owner paused it. `failing`: the service gave up on it. */
export const DISABLED_REASONS = ['manual', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** What may be shown of a row; the sealed columns beside it never leave the domain. */
export interface WebhookEndpoint {
  readonly id: string
  readonly userId: string
  readonly url: string
  readonly resourceType: ResourceType
  readonly events: readonly string[]
  readonly description: string | null
  readonly authType: AuthType
  readonly customHeaderNames: readonly string[]
  readonly teamFilterId: string | null
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  readonly consecutiveFailures: number
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  readonly insertedAt: Date
  readonly updatedAt: Date
}

/** Any endpoint by its id; whoever asks has to know that it may be seen. */
export async function endpointById(
  { em }: { em: EntityManager },
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const [columns] = await rows<Record<string, unknown>>(em, 'SELECT * FROM webhook_endpoints WHERE id = $1', [
    id,
  ])
  return columns === undefined ? undefined : endpointOf(columns)
}

export const endpointOf = (columns: Readonly<Record<string, unknown>>): WebhookEndpoint =>
  plainRow<WebhookEndpoint>(columns)

/** Bound to the row and the column: a sealed value that is moved to another endpoint does not open there. */
const placeOf = (id: string, value: 'auth_secret' | 'custom_headers'): string =>
  `webhook_endpoints ${id} ${value}`

const ENDPOINTS = { table: 'webhook_endpoints', id: 'id', idType: 'text' } as const

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

/** Names and values in the order they were given. */
export type CustomHeaders = readonly (readonly [name: string, value: string])[]

export const sealHeaders = (masterKey: MasterKey, id: string, headers: CustomHeaders): Buffer =>
  masterKey.seal(Buffer.from(JSON.stringify(headers)), placeOf(id, 'custom_headers'))

export const openHeaders = (masterKey: MasterKey, id: string, sealed: Uint8Array): CustomHeaders =>
  JSON.parse(masterKey.open(sealed, placeOf(id, 'custom_headers')).toString())
