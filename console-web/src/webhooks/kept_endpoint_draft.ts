// The draft of a new endpoint as the tab keeps it: never the secret, and of the headers only their names.
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { isJsonObject, textAt } from '../data/json_object.ts'
import { type EndpointDraft, NEW_DRAFT } from './endpoint_draft.ts'

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
    events: Array.isArray(events) ? EVENT_NAMES.filter((name) => events.includes(name)) : NEW_DRAFT.events,
    description: textAt(kept, 'description') ?? '',
    authType: kept.authType === 'bearer' ? 'bearer' : 'none',
    headers: Array.isArray(headers)
      ? headers.flatMap((name, key) => (typeof name === 'string' ? [{ key, name, value: '' }] : []))
      : [],
    teamFilterId: textAt(kept, 'teamFilterId'),
    enabled: kept.enabled !== false,
  }
}
