// A webhook endpoint from GET /api/json/webhook-endpoints. The answer never contains its secrets.
import { RESOURCE_TYPES } from '../../../shared/wire/webhook_events.ts'
import { collection } from '../data/resource.ts'
import { called, isTrue, numberOrNull, oneOf, or, shape, text, textOrNull, texts } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { nameText, shownText } from '../ui/shown_text.tsx'

export const AUTH_TYPES = ['none', 'bearer'] as const

/** `push`: the service calls it. `pull`: its owner's program asks for what is new. */
export const KINDS = ['push', 'pull'] as const
export type EndpointKind = (typeof KINDS)[number]

export const SIGNINGS = ['v1', 'v1a', 'none'] as const
export type Signing = (typeof SIGNINGS)[number]

const readEndpoint = shape({
  id: text,
  kind: or(oneOf(KINDS), 'push'),
  /** Empty for an endpoint that is asked instead of called. */
  url: or(textOrNull, ''),
  resourceType: or(oneOf(RESOURCE_TYPES), 'item'),
  events: texts,
  description: textOrNull,
  authType: or(oneOf(AUTH_TYPES), 'none'),
  /** Names only. The values never leave the service. */
  headerNames: called('custom_header_names', texts),
  signing: or(oneOf(SIGNINGS), 'none'),
  /** Of `v1a`: those that sign now, the newest first. */
  publicKeys: texts,
  /** When the last key before the newest ends, or ended. */
  formerUntil: textOrNull,
  /** Null means every item that the owner submits. */
  teamFilterId: textOrNull,
  enabled: isTrue,
  /** `manual`, `failing`, `gone`, or null while it is enabled. */
  disabledReason: textOrNull,
  maxPerSecond: numberOrNull,
  consecutiveFailures: or(numberOrNull, 0),
  lastSuccessAt: textOrNull,
  lastFailureAt: textOrNull,
  insertedAt: text,
})

export type Endpoint = ReturnType<typeof readEndpoint>

export const endpoints = collection('/api/json/webhook-endpoints', readEndpoint)

/** As many as one page holds. An owner with more endpoints sees the newest. */
export const useEndpoints = (pulse?: string) =>
  useDocument(`${endpoints.path}?page[limit]=250`, { read: endpoints.readPage, pulse })

/** The state shown for an endpoint. */
export const stateOf = (endpoint: Endpoint): keyof typeof STATES => {
  const { enabled, disabledReason: reason, lastSuccessAt, lastFailureAt } = endpoint
  if (!enabled) return reason === 'failing' || reason === 'gone' ? reason : 'paused'
  const isStruggling = lastFailureAt !== null && (lastSuccessAt === null || lastSuccessAt < lastFailureAt)
  return isStruggling ? 'struggling' : 'enabled'
}

/** `why` says what happened to an endpoint that is off, and what brings it back. */
export const STATES = {
  enabled: { words: 'enabled', tone: 'good', why: null },
  struggling: { words: 'not getting through', tone: 'warn', why: null },
  paused: {
    words: 'paused',
    tone: undefined,
    why: 'Paused by its owner. What happens meanwhile is not sent, and can be sent once it is enabled again.',
  },
  failing: {
    words: 'switched off',
    tone: 'bad',
    why: 'Switched off by the service: for days, one delivery after the other failed for good. Repair the receiver, send a test, then enable it.',
  },
  gone: {
    words: 'gone',
    tone: 'bad',
    why: 'Switched off because its receiver answered 410, which says that it is gone and wants no more. If that was a mistake, enable it again; otherwise give it another address first, or delete it.',
  },
} as const

const OWN_RECEIVER = 'https://receiver.pharos.test/'

/** Its address at the built-in receiver. Null when it leads elsewhere. */
export const receiverToken = ({ url }: Pick<Endpoint, 'url'>): string | null =>
  url.startsWith(OWN_RECEIVER) ? url.slice(OWN_RECEIVER.length) : null

/** What it is called: host and path without `https://`. One without an address is known by its description. */
export const nameOf = ({ kind, url, description }: Pick<Endpoint, 'kind' | 'url' | 'description'>): string =>
  kind === 'push'
    ? url.replace(/^https:\/\//, '')
    : shownText(nameText(description ?? 'Read by a program of yours'))
