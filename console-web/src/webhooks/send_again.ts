// Deliveries that are sent again: what was lost since a time, or everything of a range. It goes on while the person is on
// other pages of the console, and this tab remembers what became of it.
import type { Api } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { dropDraft, keepDraft, readDraft } from '../data/kept/draft.ts'
import { called, listOf, numberOrNull, or, shape, text, textOrNull, texts } from '../data/shape.ts'
import { Store } from '../data/store.ts'
import { deliveries } from './delivery.ts'
import { endpoints } from './endpoint.ts'

/** @throws ApiFailure when what the tab keeps is nothing of the kind */
export const readAgain = shape({
  /** Times are ISO 8601. */
  from: text,
  /** Null for what was lost, up to now. */
  until: textOrNull,
  /** Of a range: those alone. Null for all. */
  events: (kept) => (Array.isArray(kept) ? texts(kept) : null),
  /** What was made for it was made from then on, by the clock of the service. */
  startedAt: called('startedAt', text),
  /** Deliveries made so far. */
  made: or(numberOrNull, 0),
  /** What to ask next: a time, or the rest of a range, which begins with one. Null when everything was asked for. */
  next: textOrNull,
})
export type Again = ReturnType<typeof readAgain>

export type Run = {
  readonly again: Again
  readonly isAsking: boolean
  /** Why it stopped, or null. */
  readonly why: string | null
}

const runs = new Map<string, Store<Run | null>>()

const keptName = (endpointId: string): string => `again.${endpointId}`

/** What is, or was last, sent again to an endpoint. One that a closed page has left in the middle can go on. */
export const runOf = (endpointId: string): Store<Run | null> => {
  const known = runs.get(endpointId)
  if (known !== undefined) return known
  const again = readDraft(keptName(endpointId), readAgain)
  const run = new Store<Run | null>(again && { again, isAsking: false, why: null })
  runs.set(endpointId, run)
  return run
}

/** Longer than the 5 s after which the service tells how far it came. */
const TIMEOUT_MS = 30_000

/** Asks piece by piece, from `next` on. */
export const sendAgain = async (api: Api, endpointId: string, first: Again): Promise<void> => {
  const run = runOf(endpointId)
  if (run.read()?.isAsking) return
  let again = first
  const tell = (why: string | null): void => {
    keepDraft(keptName(endpointId), again)
    run.write({ again, isAsking: why === null && again.next !== null, why })
  }
  try {
    for (tell(null); again.next !== null; tell(null)) again = await askFor(api, endpointId, again, again.next)
  } catch (error) {
    tell(messageOf(error))
  }
}

const askFor = async (api: Api, endpointId: string, again: Again, from: string): Promise<Again> => {
  const { until, events, made } = again
  const [action, data] =
    until === null
      ? ['recover', { since: from }]
      : ['replay', { from, until, ...(events === null ? {} : { events }) }]
  const options = { timeoutMs: TIMEOUT_MS }
  const { result } = readSent(await api.post(`${endpoints.at(endpointId)}/${action}`, { data }, options))
  return { ...again, made: made + result.count, next: result.nextSince ?? result.nextFrom }
}

const readSent = shape({
  result: shape({ count: or(numberOrNull, 0), nextSince: textOrNull, nextFrom: textOrNull }),
})

export const forgetRun = (endpointId: string): void => {
  runOf(endpointId).write(null)
  dropDraft(keptName(endpointId))
}

type Counted = {
  readonly endpointId: string
  readonly from?: string
  readonly until?: string | null
  readonly events?: readonly string[] | null
  readonly status?: 'pending'
}

/** Asks how many deliveries there are of a kind, and for the oldest of them. */
export const countPath = ({ endpointId, from, until, events, status }: Counted): string => {
  const asked = new URLSearchParams({
    'page[limit]': '1',
    'page[count]': 'true',
    sort: 'inserted_at',
    'fields[webhook_delivery]': 'inserted_at',
    'filter[endpoint_id]': endpointId,
  })
  if (status !== undefined) asked.set('filter[status]', status)
  if (from !== undefined) asked.set('filter[inserted_at][gte]', from)
  if (until != null) asked.set('filter[inserted_at][lte]', until)
  for (const name of events ?? []) asked.append('filter[event_type][in][]', name)
  return `${deliveries.path}?${asked}`
}

/** How many there are, and when the oldest was made. */
export const readCount = (document: unknown) => {
  const { data, meta } = readCounted(document)
  return { total: meta.page.total, oldestAt: data[0]?.attributes.insertedAt ?? null }
}

const readCounted = shape({
  data: listOf(shape({ attributes: shape({ insertedAt: textOrNull }) })),
  meta: shape({ page: shape({ total: or(numberOrNull, 0) }) }),
})
