// The values in an endpoint's form, and the attributes that they become. The page keeps typed secrets nowhere
// else.

import { ITEM_EVENTS } from '../../../shared/wire/webhook_events.ts'
import { isJsonObject, textAt } from '../data/json_object.ts'
import type { Endpoint } from './endpoint.ts'

export type HeaderRow = { readonly key: number; readonly name: string; readonly value: string }

export type EndpointDraft = {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
  readonly authType: 'none' | 'bearer'
  /** Empty keeps the stored secret. */
  readonly authSecret: string
  /** Null keeps the stored headers. */
  readonly headers: readonly HeaderRow[] | null
  readonly teamFilterId: string | null
  readonly enabled: boolean
}

/** A new endpoint gets every event. */
export const NEW_DRAFT: EndpointDraft = {
  url: '',
  events: ITEM_EVENTS,
  description: '',
  authType: 'none',
  authSecret: '',
  headers: [],
  teamFilterId: null,
  enabled: true,
}

export const draftOf = (endpoint: Endpoint): EndpointDraft => ({
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description ?? '',
  authType: endpoint.authType,
  authSecret: '',
  headers: endpoint.headerNames.length === 0 ? [] : null,
  teamFilterId: endpoint.teamFilterId,
  enabled: endpoint.enabled,
})

/** Body of the request that creates an endpoint. */
export const creation = (draft: EndpointDraft): object => ({
  data: { type: 'webhook_endpoint', attributes: { resource_type: 'item', ...attributesOf(draft) } },
})

/**
 * Body of the request that changes an endpoint. Contains only changed attributes, so that the service does
 * not check the others again.
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
  if (changed.length === 0) return null
  return { data: { type: 'webhook_endpoint', id: endpoint.id, attributes: Object.fromEntries(changed) } }
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
  url: draft.url.trim(),
  events: ITEM_EVENTS.filter((name) => draft.events.includes(name)),
  description: draft.description.trim() === '' ? null : draft.description.trim(),
  auth_type: draft.authType,
  ...(draft.authType === 'bearer' && draft.authSecret !== '' ? { auth_secret: draft.authSecret } : {}),
  ...(draft.headers === null
    ? {}
    : {
        custom_headers: Object.fromEntries(
          draft.headers.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value]),
        ),
      }),
  team_filter_id: draft.teamFilterId,
  enabled: draft.enabled,
})

/** What the tab keeps of the draft of a new endpoint: never the secret, and of the headers only their names. */
export const keptOf = ({ authSecret: _, headers, ...draft }: EndpointDraft): object => ({
  ...draft,
  headers: (headers ?? []).map(({ name }) => name),
})

export const readKept = (kept: unknown): EndpointDraft | null => {
  if (!isJsonObject(kept)) return null
  const { events, headers } = kept
  return {
    ...NEW_DRAFT,
    url: textAt(kept, 'url') ?? '',
    events: Array.isArray(events) ? ITEM_EVENTS.filter((name) => events.includes(name)) : NEW_DRAFT.events,
    description: textAt(kept, 'description') ?? '',
    authType: kept.authType === 'bearer' ? 'bearer' : 'none',
    headers: Array.isArray(headers)
      ? headers.flatMap((name, key) => (typeof name === 'string' ? [{ key, name, value: '' }] : []))
      : [],
    teamFilterId: textAt(kept, 'teamFilterId'),
    enabled: kept.enabled !== false,
  }
}
