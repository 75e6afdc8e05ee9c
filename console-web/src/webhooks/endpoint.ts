// A webhook endpoint from GET /api/json/webhook-endpoints. The answer never contains its secrets.
import { documentOf, pageOf } from '../data/resource.ts'
import { called, isTrue, numberOrNull, oneOf, or, shape, text, textOrNull, texts } from '../data/shape.ts'

const AUTH_TYPES = ['none', 'bearer'] as const

const readEndpoint = shape({
  id: text,
  /** Empty for an endpoint that is asked instead of called. */
  url: or(textOrNull, ''),
  events: texts,
  description: textOrNull,
  authType: or(oneOf(AUTH_TYPES), 'none'),
  /** Names only. The values never leave the service. */
  headerNames: called('custom_header_names', texts),
  /** Null means every item that the owner submits. */
  teamFilterId: textOrNull,
  enabled: isTrue,
  /** `manual`, `failing`, or null while it is enabled. */
  disabledReason: textOrNull,
  consecutiveFailures: or(numberOrNull, 0),
  lastSuccessAt: textOrNull,
  lastFailureAt: textOrNull,
  insertedAt: text,
})

export type Endpoint = ReturnType<typeof readEndpoint>

export const ENDPOINTS_PATH = '/api/json/webhook-endpoints'

/** As many as one page holds. An owner with more endpoints sees the newest. */
export const ALL_ENDPOINTS_PATH = `${ENDPOINTS_PATH}?page[limit]=250`

export const endpointPath = (id: string): string => `${ENDPOINTS_PATH}/${encodeURIComponent(id)}`

export const readEndpointDocument = documentOf(readEndpoint)
export const readEndpointPage = pageOf(readEndpoint)

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

export const STATES = {
  enabled: { words: 'enabled', tone: 'good' },
  struggling: { words: 'not getting through', tone: 'warn' },
  paused: { words: 'paused', tone: undefined },
  failing: { words: 'switched off', tone: 'bad' },
} as const satisfies Readonly<Record<EndpointState, object>>

const OWN_RECEIVER = 'https://receiver.pharos.test/'

/** The endpoint leads to the built-in receiver. */
export const isOwnReceiver = ({ url }: Pick<Endpoint, 'url'>): boolean => url.startsWith(OWN_RECEIVER)

/** The page of the built-in receiver that shows what arrives at its address. */
export const receiverPage = ({ url }: Pick<Endpoint, 'url'>): string =>
  isOwnReceiver({ url })
    ? `/webhooks/receiver?address=${encodeURIComponent(url.slice(OWN_RECEIVER.length))}`
    : '/webhooks/receiver'

/** Host and path, without `https://`. */
export const shortUrl = (url: string): string =>
  url === '' ? 'asked by a reader' : url.replace(/^https:\/\//, '')
