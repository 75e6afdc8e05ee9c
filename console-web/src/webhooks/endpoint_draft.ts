// The values in an endpoint's form, the attributes that they become, and what is refused of them in words. The page keeps
// typed secrets nowhere else.
import { eventsOf, RESOURCE_TYPES } from '../../../shared/wire/webhook_events.ts'
import { type Problem, sentence } from '../data/api_failure.ts'
import { bodyOf } from '../data/resource.ts'
import { called, numberAt, oneOf, or, shape, textAt, textOrNull, texts } from '../data/shape.ts'
import { AUTH_TYPES, type Endpoint, KINDS, SIGNINGS } from './endpoint.ts'

export type HeaderRow = { readonly key: number; readonly name: string; readonly value: string }

/** Headers of these names, whose values are to be typed. */
export const headersNamed = (names: readonly string[]): readonly HeaderRow[] =>
  names.map((name, key) => ({ key, name, value: '' }))

const typed = or(textOrNull, '')

/** The draft of a new endpoint, as the tab keeps it. @throws ApiFailure */
export const readKept = shape({
  /** Chosen once. */
  kind: or(oneOf(KINDS), 'push'),
  url: typed,
  /** Chosen once. */
  resourceType: called('resourceType', or(oneOf(RESOURCE_TYPES), 'item')),
  /** Those of another resource are not sent. */
  events: (kept): readonly string[] => (Array.isArray(kept) ? texts(kept) : eventsOf('item')),
  description: typed,
  /** Of a new endpoint. One that exists is signed otherwise by a form of its own. */
  signing: or(oneOf(SIGNINGS), 'v1'),
  authType: called('authType', or(oneOf(AUTH_TYPES), 'none')),
  /** Empty keeps the stored secret. The tab keeps none. */
  authSecret: () => '',
  /** Null keeps the stored headers. The tab keeps names alone. */
  headers: (kept): readonly HeaderRow[] | null => headersNamed(texts(kept)),
  teamFilterId: called('teamFilterId', textOrNull),
  /** As typed. Empty sets no bound. */
  maxPerSecond: called('maxPerSecond', typed),
  enabled: (kept) => kept !== false,
})
export type EndpointDraft = ReturnType<typeof readKept>

/** A new endpoint gets every event, and is signed. */
export const NEW_DRAFT = readKept({})

export const keptOf = ({ authSecret: _, headers, ...draft }: EndpointDraft): object => ({
  ...draft,
  headers: (headers ?? []).map(({ name }) => name),
})

export const draftOf = (endpoint: Endpoint): EndpointDraft => ({
  ...endpoint,
  description: endpoint.description ?? '',
  authSecret: '',
  headers: endpoint.headerNames.length === 0 ? [] : null,
  maxPerSecond: String(endpoint.maxPerSecond ?? ''),
})

/** What each part of the form gets. */
export type DraftParts = {
  /** Null for a new endpoint. */
  readonly endpoint: Endpoint | null
  readonly draft: EndpointDraft
  /** By the attribute's name on the wire. */
  readonly problem: (field: string) => string | undefined
  readonly set: (part: Partial<EndpointDraft>) => void
}

/** The chosen events once this one is chosen, or is not any more. */
export const withEvent = (events: readonly string[], name: string, isChosen: boolean): readonly string[] =>
  isChosen ? [...events, name] : events.filter((one) => one !== name)

/** Body of the request that creates an endpoint. */
export const creation = (draft: EndpointDraft): object => {
  const { kind, resourceType: resource_type, signing } = draft
  return bodyOf('webhook_endpoint', { kind, resource_type, signing, ...attributesOf(draft) })
}

/** Body of a request that changes an endpoint. */
export const changeTo = ({ id }: Pick<Endpoint, 'id'>, attributes: object): object =>
  bodyOf('webhook_endpoint', attributes, id)

/**
 * Body of the request that changes an endpoint. Contains only changed attributes, so that the service does
 * not check the others again. Null when nothing changed.
 */
export const change = (endpoint: Endpoint, draft: EndpointDraft): object | null => {
  const before = attributesOf(draftOf(endpoint))
  // Leaves out `enabled`, because a separate button sets it and may have been pressed after the form was
  // filled.
  const { enabled: _, ...now } = attributesOf(draft)
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

/** By what is wrong, and where that is not enough by the field too. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(REASON_WORDS),
  ['required url', 'Where should deliveries go?'],
  ['required events', REASON_WORDS.empty],
  ['required auth_secret', 'Deliveries that carry a bearer secret need one.'],
  [
    'origin_changed auth_secret',
    'The address leads to another host: type the secret for it, or choose Nothing.',
  ],
  [
    'origin_changed custom_headers',
    'The address leads to another host: give the headers again, or remove them.',
  ],
])

/** `/data/attributes/custom_headers/X-A` is one header; `/data/attributes/events/0` is the events field. */
const FIELD = /^\/data\/attributes\/(custom_headers\/.*|[^/]+)/

/** A problem of one header is under `custom_headers/<name>`. */
export const refusedWords = (problem: Problem): readonly [field: string | null, words: string] => {
  const named = FIELD.exec(problem.pointer ?? '')?.[1]
  if (named === undefined) return [null, wholeWords(problem)]
  // RFC 6901.
  const field = named.replaceAll('~1', '/').replaceAll('~0', '~')
  const what = textAt(problem.meta, 'reason') ?? problem.code ?? ''
  return [field, WORDS.get(what) ?? WORDS.get(`${what} ${field}`) ?? `This ${problem.detail}.`]
}

const wholeWords = ({ code, detail, meta }: Problem): string => {
  if (code !== 'plan_limit') return sentence(detail)
  const limit = numberAt(meta, 'limit')
  const plan = textAt(meta, 'plan')
  const whose = plan === null ? 'Your plan' : `Your plan (${plan})`
  if (limit === 0) return `${whose} includes no webhook endpoints.`
  return `${whose} includes ${limit} webhook endpoints, and you have as many. Delete one that is no longer needed.`
}
