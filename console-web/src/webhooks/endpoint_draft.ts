// What is being typed into an endpoint's form, and the attributes that it becomes. Secrets live here, and nowhere else.

import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import type { Endpoint } from './endpoint.ts'

export type HeaderRow = { readonly key: number; readonly name: string; readonly value: string }

export type EndpointDraft = {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
  readonly authType: 'none' | 'bearer'
  /** Empty keeps the one that is stored. */
  readonly authSecret: string
  /** Null keeps those that are stored. */
  readonly headers: readonly HeaderRow[] | null
  readonly teamFilterId: string | null
  readonly enabled: boolean
}

/** A new one hears of everything. */
export const NEW_DRAFT: EndpointDraft = {
  url: '',
  events: EVENT_NAMES,
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

/** Of a request that makes one. */
export const creation = (draft: EndpointDraft): object => ({
  data: { type: 'webhook_endpoint', attributes: { resource_type: 'item', ...attributesOf(draft) } },
})

/** Of a request that changes one: only what is another than before, so that nothing is judged again without need. */
export const change = (endpoint: Endpoint, draft: EndpointDraft): object | null => {
  const before = attributesOf({ ...draftOf(endpoint), headers: null })
  // Pausing and going on are a button's business: it may have been pressed since this form was filled.
  const { enabled: _, ...now } = attributesOf(draft)
  if (endpoint.headerNames.length === 0 && draft.headers?.every(isBlank)) delete now.custom_headers
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  if (changed.length === 0) return null
  return { data: { type: 'webhook_endpoint', id: endpoint.id, attributes: Object.fromEntries(changed) } }
}

/** The address leads to another host than the stored one: what is sealed does not go there by itself. */
export const movesAway = (endpoint: Endpoint | null, { url }: EndpointDraft): boolean =>
  endpoint !== null && URL.parse(url.trim())?.origin !== URL.parse(endpoint.url)?.origin

/** Two rows of one name would silently become one. */
export const repeatedHeader = ({ headers }: EndpointDraft): string | null => {
  const names = (headers ?? []).filter((row) => !isBlank(row)).map(({ name }) => name.trim().toLowerCase())
  return names.find((name, index) => names.indexOf(name) !== index) ?? null
}

const isBlank = ({ name, value }: HeaderRow): boolean => name.trim() === '' && value === ''

const attributesOf = (draft: EndpointDraft): Record<string, unknown> => ({
  url: draft.url.trim(),
  events: EVENT_NAMES.filter((name) => draft.events.includes(name)),
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
