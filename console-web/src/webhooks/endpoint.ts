// A webhook endpoint from GET /api/json/webhook-endpoints. The answer never contains its secrets.
import { type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import {
  numberOrNull,
  type Resource,
  readDocument,
  readPage,
  textOf,
  textOrNull,
  textsOf,
} from '../data/resource.ts'

export type Endpoint = {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly authType: 'none' | 'bearer'
  /** Names only. The values never leave the service. */
  readonly headerNames: readonly string[]
  /** Null means every item that the owner submits. */
  readonly teamFilterId: string | null
  readonly enabled: boolean
  /** `manual`, `failing`, or null while it is enabled. */
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
  readonly lastSuccessAt: string | null
  readonly lastFailureAt: string | null
  readonly insertedAt: string
}

export const ENDPOINTS_PATH = '/api/json/webhook-endpoints'

/** As many as one page holds. An owner with more endpoints sees the newest. */
export const ALL_ENDPOINTS_PATH = `${ENDPOINTS_PATH}?page[limit]=250`

export const endpointPath = (id: string): string => `${ENDPOINTS_PATH}/${encodeURIComponent(id)}`

export const readEndpointDocument = (document: JsonValue): Endpoint => readEndpoint(readDocument(document))

const readEndpoint = (resource: Resource): Endpoint => ({
  id: resource.id,
  url: textOf(resource, 'url'),
  events: textsOf(resource, 'events'),
  description: textOrNull(resource, 'description'),
  authType: textOf(resource, 'auth_type') === 'bearer' ? 'bearer' : 'none',
  headerNames: textsOf(resource, 'custom_header_names'),
  teamFilterId: textOrNull(resource, 'team_filter_id'),
  enabled: memberOf(resource.attributes, 'enabled') === true,
  disabledReason: textOrNull(resource, 'disabled_reason'),
  consecutiveFailures: numberOrNull(resource, 'consecutive_failures') ?? 0,
  lastSuccessAt: textOrNull(resource, 'last_success_at'),
  lastFailureAt: textOrNull(resource, 'last_failure_at'),
  insertedAt: textOf(resource, 'inserted_at'),
})

export const readEndpointPage = readPage(readEndpoint)

/** The state shown for an endpoint. `struggling`: it is enabled, but the last attempt failed. */
export type EndpointState = 'enabled' | 'struggling' | 'paused' | 'failing'

export const stateOf = ({
  enabled,
  disabledReason,
  lastSuccessAt,
  lastFailureAt,
}: Endpoint): EndpointState => {
  if (!enabled) return disabledReason === 'failing' ? 'failing' : 'paused'
  return lastFailureAt !== null && (lastSuccessAt === null || lastSuccessAt < lastFailureAt)
    ? 'struggling'
    : 'enabled'
}

export const stateWords: Readonly<Record<EndpointState, string>> = {
  enabled: 'enabled',
  struggling: 'not getting through',
  paused: 'paused',
  failing: 'switched off',
}

const OWN_RECEIVER = 'https://receiver.pharos.test/'

/** The endpoint leads to the built-in receiver. */
export const isOwnReceiver = ({ url }: Pick<Endpoint, 'url'>): boolean => url.startsWith(OWN_RECEIVER)

/** The page of the built-in receiver that shows what arrives at its address. */
export const receiverPage = ({ url }: Pick<Endpoint, 'url'>): string =>
  isOwnReceiver({ url })
    ? `/webhooks/receiver?address=${encodeURIComponent(url.slice(OWN_RECEIVER.length))}`
    : '/webhooks/receiver'

/** Host and path, without `https://`. */
export const shortUrl = (url: string): string => url.replace(/^https:\/\//, '')
