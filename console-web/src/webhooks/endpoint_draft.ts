// The values in an endpoint's form, the attributes that they become, and what is refused of them in words. The page keeps
// typed secrets nowhere else.

import { eventsOf, RESOURCE_TYPES, type ResourceType } from '../../../shared/wire/webhook_events.ts'
import { type Problem, sentence } from '../data/api_failure.ts'
import { isJsonObject, numberAt, textAt } from '../data/json_object.ts'
import { type Endpoint, type EndpointKind, SIGNINGS, type Signing } from './endpoint.ts'

export type HeaderRow = { readonly key: number; readonly name: string; readonly value: string }

export type EndpointDraft = {
  /** Chosen once. */
  readonly kind: EndpointKind
  readonly url: string
  /** Chosen once. */
  readonly resourceType: ResourceType
  readonly events: readonly string[]
  readonly description: string
  /** Of a new endpoint. One that exists is signed otherwise by a form of its own. */
  readonly signing: Signing
  readonly authType: 'none' | 'bearer'
  /** Empty keeps the stored secret. */
  readonly authSecret: string
  /** Null keeps the stored headers. */
  readonly headers: readonly HeaderRow[] | null
  readonly teamFilterId: string | null
  /** As typed. Empty sets no bound. */
  readonly maxPerSecond: string
  readonly enabled: boolean
}

/** A new endpoint gets every event, and is signed. */
export const NEW_DRAFT: EndpointDraft = {
  kind: 'push',
  url: '',
  resourceType: 'item',
  events: eventsOf('item'),
  description: '',
  signing: 'v1',
  authType: 'none',
  authSecret: '',
  headers: [],
  teamFilterId: null,
  maxPerSecond: '',
  enabled: true,
}

export const draftOf = (endpoint: Endpoint): EndpointDraft => ({
  kind: endpoint.kind,
  url: endpoint.url,
  resourceType: endpoint.resourceType,
  events: endpoint.events,
  description: endpoint.description ?? '',
  signing: endpoint.signing,
  authType: endpoint.authType,
  authSecret: '',
  headers: endpoint.headerNames.length === 0 ? [] : null,
  teamFilterId: endpoint.teamFilterId,
  maxPerSecond: String(endpoint.maxPerSecond ?? ''),
  enabled: endpoint.enabled,
})

/** The chosen events once this one is chosen, or is not any more. */
export const withEvent = (events: readonly string[], name: string, isChosen: boolean): readonly string[] =>
  isChosen ? [...events, name] : events.filter((one) => one !== name)

/** Body of the request that creates an endpoint. */
export const creation = (draft: EndpointDraft): object => {
  const { kind, resourceType: resource_type, signing } = draft
  const attributes = { kind, resource_type, signing, ...attributesOf(draft) }
  return { data: { type: 'webhook_endpoint', attributes } }
}

/** Body of a request that changes an endpoint. */
export const changeTo = ({ id }: Pick<Endpoint, 'id'>, attributes: object): object => ({
  data: { type: 'webhook_endpoint', id, attributes },
})

/**
 * Body of the request that changes an endpoint. Contains only changed attributes, so that the service does
 * not check the others again. Null when nothing changed.
 */
export const change = (endpoint: Endpoint, draft: EndpointDraft): object | null => {
  const before = attributesOf({ ...draftOf(endpoint), headers: null })
  // Leaves out `enabled`, because a separate button sets it and may have been pressed after the form was
  // filled.
  const { enabled: _, ...now } = attributesOf(draft)
  if (endpoint.headerNames.length === 0 && draft.headers?.every(isBlank)) delete now.custom_headers
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return changed.length === 0 ? null : changeTo(endpoint, Object.fromEntries(changed))
}

/**
 * True when the new address is on another host than the stored one. Stored secrets are then not sent there
 * without a decision.
 */
export const movesAway = (endpoint: Endpoint | null, { url }: EndpointDraft): boolean =>
  endpoint !== null && URL.parse(url.trim())?.origin !== URL.parse(endpoint.url)?.origin

/** The name of a header that stands in two rows. The two would silently become one. */
export const repeatedHeader = ({ headers }: EndpointDraft): string | null => {
  const names = (headers ?? []).filter((row) => !isBlank(row)).map(({ name }) => name.trim().toLowerCase())
  return names.find((name, index) => names.indexOf(name) !== index) ?? null
}

const isBlank = ({ name, value }: HeaderRow): boolean => name.trim() === '' && value === ''

const attributesOf = (draft: EndpointDraft): Record<string, unknown> => ({
  ...(draft.kind === 'push' ? sendingOf(draft) : {}),
  events: eventsOf(draft.resourceType).filter((name) => draft.events.includes(name)),
  description: draft.description.trim() === '' ? null : draft.description.trim(),
  // Endpoints are of no team.
  ...(draft.resourceType === 'item' ? { team_filter_id: draft.teamFilterId } : {}),
  enabled: draft.enabled,
})

/** What only an endpoint has to which something is sent. */
const sendingOf = (draft: EndpointDraft): Record<string, unknown> => ({
  url: draft.url.trim(),
  auth_type: draft.authType,
  ...(draft.authType === 'bearer' && draft.authSecret !== '' ? { auth_secret: draft.authSecret } : {}),
  ...(draft.headers === null
    ? {}
    : {
        custom_headers: Object.fromEntries(
          draft.headers.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value]),
        ),
      }),
  max_per_second: numberOf(draft.maxPerSecond.trim()),
})

/** What is no number is sent as it is, so that the service refuses it in its words. */
const numberOf = (typed: string): number | string | null =>
  typed === '' ? null : /^\d+$/.test(typed) ? Number(typed) : typed

/** What the tab keeps of the draft of a new endpoint: never the secret, and of the headers only their names. */
export const keptOf = ({ authSecret: _, headers, ...draft }: EndpointDraft): object => ({
  ...draft,
  headers: (headers ?? []).map(({ name }) => name),
})

export const readKept = (kept: unknown): EndpointDraft | null => {
  if (!isJsonObject(kept)) return null
  const { events, headers } = kept
  const resourceType = RESOURCE_TYPES.find((one) => one === kept.resourceType) ?? 'item'
  const all = eventsOf(resourceType)
  return {
    ...NEW_DRAFT,
    kind: kept.kind === 'pull' ? 'pull' : 'push',
    url: textAt(kept, 'url') ?? '',
    resourceType,
    events: Array.isArray(events) ? all.filter((name) => events.includes(name)) : all,
    description: textAt(kept, 'description') ?? '',
    signing: SIGNINGS.find((one) => one === kept.signing) ?? NEW_DRAFT.signing,
    authType: kept.authType === 'bearer' ? 'bearer' : 'none',
    headers: Array.isArray(headers)
      ? headers.flatMap((name, key) => (typeof name === 'string' ? [{ key, name, value: '' }] : []))
      : [],
    teamFilterId: textAt(kept, 'teamFilterId'),
    maxPerSecond: textAt(kept, 'maxPerSecond') ?? '',
    enabled: kept.enabled !== false,
  }
}

/** By `meta.reason`. */
export const REASON_WORDS = {
  not_https:
    'The address must begin with https://. Deliveries carry what concerns your items, and perhaps a secret.',
  embedded_credentials: 'Leave user name and password out of the address. A bearer secret can be set below.',
  blocked_host:
    'localhost is never called. For a trial on this machine write 127.0.0.1, and allow it (see beside).',
  private_address:
    'This host leads to a private or reserved address, which the service does not call. For a trial, allow it (see beside).',
  invalid_url: 'This is not a complete address. It looks like https://example.com/hooks/pharos.',
  unknown_event: 'The service knows no such event.',
  empty: 'Choose at least one event.',
  forbidden_header: 'This header cannot be set: the service sets it itself, or it is not a header’s name.',
  control_character: 'There is a character in it that a header cannot carry, such as a line break.',
} as const

const REQUIRED: Readonly<Record<string, string>> = {
  url: 'Where should deliveries go?',
  events: 'Choose at least one event.',
  auth_secret: 'Deliveries that carry a bearer secret need one.',
}

const MOVED: Readonly<Record<string, string>> = {
  auth_secret: 'The address leads to another host: type the secret for it, or choose Nothing.',
  custom_headers: 'The address leads to another host: give the headers again, or remove them.',
}

/** A problem of one header is under `custom_headers/<name>`. */
export const refusedWords = (problem: Problem): readonly [field: string | null, words: string] => {
  const field = fieldOf(problem.pointer)
  return field === null ? [null, wholeWords(problem)] : [field, fieldWords(field, problem)]
}

/** `/data/attributes/custom_headers/X-A` is one header; `/data/attributes/events/0` is the events field. */
const fieldOf = (pointer: string | null): string | null => {
  const [, data, attributes, field, ...rest] = (pointer ?? '').split('/').map(unescaped)
  if (data !== 'data' || attributes !== 'attributes' || field === undefined) return null
  return field === 'custom_headers' && rest.length > 0 ? `${field}/${rest.join('/')}` : field
}

/** RFC 6901. */
const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

const fieldWords = (field: string, { code, detail, meta }: Problem): string => {
  const reason = textAt(meta, 'reason') ?? ''
  if (isReason(reason)) return REASON_WORDS[reason]
  if (reason === 'origin_changed') return MOVED[field] ?? detail
  if (code === 'required' && Object.hasOwn(REQUIRED, field)) return REQUIRED[field] ?? detail
  return `This ${detail}.`
}

const isReason = (reason: string): reason is keyof typeof REASON_WORDS => Object.hasOwn(REASON_WORDS, reason)

const wholeWords = ({ code, detail, meta }: Problem): string => {
  if (code !== 'plan_limit') return sentence(detail)
  const limit = numberAt(meta, 'limit')
  const plan = textAt(meta, 'plan')
  const whose = plan === null ? 'Your plan' : `Your plan (${plan})`
  if (limit === 0) return `${whose} includes no webhook endpoints.`
  return `${whose} includes ${limit} webhook endpoints, and you have as many. Delete one that is no longer needed.`
}
