// The streams of the monitor, one row each: what their events are called and when they happened, how what was missed is
// read, where the resource is found, and what a row says of it.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { BEACON_CREATED, CHAIN_REPLACED, type StreamName } from '../../../shared/wire/console_stream.ts'
import { chainName } from '../commitments/epoch.ts'
import { isJsonObject, numberAt, objectAt, textAt, texts } from '../data/shape.ts'
import { BURST } from '../data/stream/live_events.ts'
import { sourceTitle } from '../entropy/source_title.ts'
import { count, duration, plural } from '../ui/format.ts'
import { shownText } from '../ui/shown_text.tsx'
import type { MonitorRow } from './monitor_row.ts'

export type MonitorStream = {
  /** For the link to the page. */
  readonly noun: string
  /** The list in the API, the type of what is in it, and the query in GraphQL. */
  readonly api: string
  readonly type: string
  readonly query: string
  /** The page is at this path and the id. Null for what has none. */
  readonly page: string | null
  /** Those that the events carry, as the API is asked for them. In GraphQL they have the same names in camel case. */
  readonly fields: string
  /**
   * The words of each event, and the field that holds its time. It is the same when the stream sends the event and when
   * the API is read later, so that an event that comes both ways is one row. Null for an event that names its own time.
   */
  readonly events: Readonly<Record<string, readonly [words: string, time: string | null]>>
  /** The events that can be known to have happened from the resource alone. Without it: those that have a time. */
  readonly known?: (now: JsonObject) => readonly string[]
  readonly line: (row: MonitorRow) => string
}

export const STREAMS: Readonly<Record<StreamName, MonitorStream>> = {
  beacons: {
    noun: 'block',
    api: 'beacons',
    type: 'beacon',
    query: 'beacon',
    page: '/blocks/',
    fields: 'hash,timestamp,previous_hash',
    events: { [BEACON_CREATED]: ['Beacon', 'timestamp'], [CHAIN_REPLACED]: ['Chain replaced', null] },
    line: ({ kind, data }) =>
      kind === CHAIN_REPLACED
        ? 'The ledger no longer has a block that was shown here.'
        : `after ${textAt(data, 'previous_hash')?.slice(0, 8) ?? ''}`,
  },
  blocks: {
    noun: 'block',
    api: 'blocks',
    type: 'block',
    query: 'getBlock',
    page: '/blocks/',
    fields: 'height,block_hash,state,leaf_count,item_count,observation_count,finalized_at,committed_at',
    events: {
      'block.finalized': ['Block', 'finalized_at'],
      'block.committed': ['Block on a chain', 'committed_at'],
    },
    line: ({ data }) =>
      said(
        `#${count(numberAt(data, 'height') ?? 0)}`,
        contentsOf(data),
        after('on a chain', data.finalized_at, data.committed_at),
      ),
  },
  items: {
    noun: 'item',
    api: 'items',
    type: 'item',
    query: 'getItem',
    page: '/items/',
    fields:
      'state,visibility,claims_hash,metadata_hash,item_hash,tags,team_id,block_id,inserted_at,committed_at,redacted_at',
    events: {
      'item.created': ['Item handed in', 'inserted_at'],
      'item.committed': ['Item in a block', 'committed_at'],
      'item.redacted': ['Item erased', 'redacted_at'],
      'item.unredacted': ['Item restored', null],
      'item.deleted': ['Item deleted', null],
    },
    line: ({ kind, data }) =>
      said(
        textAt(data, 'visibility'),
        ...tagsOf(data),
        kind === 'item.created' && after('in a block', data.inserted_at, data.committed_at),
      ),
  },
  entropy: {
    noun: 'observation',
    api: 'entropy_observations',
    type: 'entropy_observation',
    query: 'getEntropyObservation',
    page: '/entropy/',
    fields: 'source,state,entropy_hash,source_published_at,inserted_at',
    events: { 'entropy.created': ['Entropy observed', 'inserted_at'] },
    line: ({ data }) => sourceTitle(textAt(data, 'source') ?? ''),
  },
  commitments: {
    noun: 'commitment',
    api: 'commitments',
    type: 'commitment',
    query: 'getCommitment',
    page: null,
    fields:
      'chain,network,state,epoch_id,epoch_root,transaction_hash,commitment_hash,ledger,block_height,confirmed_at,attempts,error,updated_at',
    events: {
      'commitment.submitted': ['Commitment sent', null],
      'commitment.confirmed': ['Commitment confirmed', 'confirmed_at'],
      'commitment.failed': ['Commitment failed', null],
    },
    known: ({ state }) => (state === 'pending' ? [] : [`commitment.${String(state)}`]),
    line: ({ data }) =>
      said(
        chainName({ chain: textAt(data, 'chain') ?? '', network: textAt(data, 'network') ?? '' }),
        shownText(textAt(data, 'error') ?? ''),
      ),
  },
  webhook_deliveries: {
    noun: 'delivery',
    api: 'webhook-deliveries',
    type: 'webhook_delivery',
    query: 'getWebhookDelivery',
    page: '/webhooks/deliveries/',
    fields:
      'endpoint_id,event_type,resource_type,resource_id,message_id,status,http_status,error,attempts,duration_ms,' +
      'next_attempt_at,first_attempt_at,last_attempt_at,completed_at,inserted_at,updated_at',
    events: {
      'delivery.created': ['Delivery due', 'inserted_at'],
      'delivery.updated': ['Delivery tried', 'updated_at'],
    },
    known: ({ status, attempts }) =>
      attempts === 0 && status === 'pending'
        ? ['delivery.created']
        : ['delivery.created', 'delivery.updated'],
    line: ({ data }) => deliveryLine(data),
  },
}

/** An event or a burst as the stream sent it. Null when this page cannot read it. */
export const sentRow = (stream: StreamName, kind: string, body: unknown): MonitorRow | null => {
  if (kind === `${stream}${BURST}`) return burstRow(stream, kind, body)
  const data = objectAt(body, 'data')
  const at = timeOf(data, STREAMS[stream].events[kind]?.[1]) ?? timeOf(body, 'at')
  return data === null || at === null ? null : withId({ kind, stream, at, data, origin: 'sent' })
}

/** The events of a resource as it is now. What has not happened has no time. */
export const readRows = (stream: StreamName, data: JsonObject): readonly MonitorRow[] => {
  const { events, known } = STREAMS[stream]
  return (known?.(data) ?? Object.keys(events)).flatMap((kind) => {
    const time = events[kind]?.[1] ?? (known === undefined ? null : 'updated_at')
    const at = timeOf(data, time)
    return (at === null ? null : withId({ kind, stream, at, data, origin: 'read' })) ?? []
  })
}

const withId = (row: Omit<MonitorRow, 'id'>): MonitorRow | null => {
  const { kind, data } = row
  const id = textAt(data, 'id')
  if (id === null) return null
  // Two attempts of one delivery may end in one millisecond.
  const attempts = kind === 'delivery.updated' ? numberAt(data, 'attempts') : null
  return { ...row, id: attempts === null ? id : `${id}.${attempts}` }
}

const burstRow = (stream: StreamName, kind: string, body: unknown): MonitorRow | null => {
  const at = timeOf(body, 'last_at')
  const count = numberAt(body, 'count')
  if (at === null || count === null || !isJsonObject(body)) return null
  return { kind, stream, at, id: `${timeOf(body, 'first_at') ?? at}.${count}`, data: body, origin: 'sent' }
}

const timeOf = (value: unknown, name: string | null | undefined): number | null => {
  const time = Date.parse((name == null ? null : textAt(value, name)) ?? '')
  return Number.isNaN(time) ? null : time
}

const said = (...parts: readonly (string | number | false | null)[]): string =>
  parts.filter((part) => part !== '' && part !== false && part !== null).join(' · ')

const contentsOf = (data: JsonObject): string => {
  const items = numberAt(data, 'item_count') ?? 0
  const observations = numberAt(data, 'observation_count') ?? 0
  const parts = [items > 0 && plural(items, 'item'), observations > 0 && plural(observations, 'observation')]
  return parts.filter(Boolean).join(', ') || 'empty'
}

/** Such as "on a chain after 2 min 05 s", or "in a block at once". Null until it is so. */
const after = (what: string, from: unknown, to: unknown): string | null => {
  const ms = Date.parse(String(to)) - Date.parse(String(from))
  if (Number.isNaN(ms)) return null
  return ms < 1_000 ? `${what} at once` : `${what} after ${duration(ms)}`
}

/** Tags that stand in the line. The payload has all. */
const MOST_TAGS = 3

/** People choose tags, so what cannot be seen in them is shown by name. */
const tagsOf = ({ tags }: JsonObject): readonly string[] => texts(tags).slice(0, MOST_TAGS).map(shownText)

const deliveryLine = (data: JsonObject): string => {
  const attempts = numberAt(data, 'attempts') ?? 0
  const status = textAt(data, 'status') ?? ''
  const read = readWords(status, data)
  return said(
    textAt(data, 'event_type'),
    read ?? (status === 'pending' && attempts > 0 ? 'retrying' : status),
    numberAt(data, 'http_status'),
    read === null && attempts > 0 && plural(attempts, 'attempt'),
    shownText(textAt(data, 'error') ?? ''),
  )
}

/** Of what a program reads: nothing is planned for it, and nobody answers. Null for what is sent. */
const readWords = (status: string, { http_status, next_attempt_at }: JsonObject): string | null => {
  if (status === 'pending' && next_attempt_at === null) return 'not read yet'
  return status === 'success' && http_status === null ? 'read' : null
}
