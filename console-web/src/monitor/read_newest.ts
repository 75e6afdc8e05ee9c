// The newest rows of each stream from the API, so that the list is not empty at first, and those that were missed.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { Api } from '../data/api_client.ts'
import type { JsonObject } from '../data/json_object.ts'
import type { LiveStream } from '../data/live_events.ts'
import { readPage, widest } from '../data/resource.ts'
import { type MonitorRow, readRow } from './monitor_row.ts'

type Source = {
  readonly path: string
  readonly type: string
  /** Those that the events carry. */
  readonly fields: string
  /** What can be known to have happened from the resource alone. */
  readonly kinds: (now: JsonObject) => readonly string[]
}

const PAGE = 8

const SOURCES: Readonly<Record<LiveStream, Source>> = {
  blocks: {
    path: 'blocks',
    type: 'block',
    fields: 'height,block_hash,state,leaf_count,item_count,observation_count,finalized_at,committed_at',
    kinds: () => ['block.finalized', 'block.committed'],
  },
  items: {
    path: 'items',
    type: 'item',
    fields:
      'state,visibility,claims_hash,metadata_hash,item_hash,tags,team_id,block_id,inserted_at,committed_at,redacted_at',
    kinds: () => ['item.created', 'item.committed', 'item.redacted'],
  },
  entropy: {
    path: 'entropy_observations',
    type: 'entropy_observation',
    fields: 'source,state,entropy_hash,source_published_at,inserted_at',
    kinds: () => ['entropy.created'],
  },
  commitments: {
    path: 'commitments',
    type: 'commitment',
    fields:
      'chain,network,state,epoch_id,epoch_root,transaction_hash,commitment_hash,ledger,block_height,confirmed_at,attempts,error,updated_at',
    kinds: ({ state }) => (state === 'pending' ? [] : [`commitment.${String(state)}`]),
  },
  webhook_deliveries: {
    path: 'webhook-deliveries',
    type: 'webhook_delivery',
    fields:
      'endpoint_id,event_type,resource_type,resource_id,message_id,status,http_status,error,attempts,duration_ms,' +
      'next_attempt_at,first_attempt_at,last_attempt_at,completed_at,inserted_at,updated_at',
    kinds: ({ status, attempts }) =>
      attempts === 0 && status === 'pending'
        ? ['delivery.created']
        : ['delivery.created', 'delivery.updated'],
  },
}

/** Pages after the first one, of the largest size, to look for the newest resource that is known. */
const MOST_PAGES = 4

export type Newest = {
  readonly rows: readonly MonitorRow[]
  /** How many resources were read. */
  readonly count: number
  /** False when there are more between the oldest that was read and the one that is known. */
  readonly complete: boolean
}

/**
 * One small page, and where `known` is the newest id that came before, more of them until it is reached.
 * @throws ApiFailure
 */
export const readNewest = async (
  api: Api,
  stream: LiveStream,
  { known, signal }: { readonly known: string | null; readonly signal: AbortSignal },
): Promise<Newest> => {
  const { path, type, fields } = SOURCES[stream]
  const rows: MonitorRow[] = []
  let count = 0
  let next: string | null = `/api/json/${path}?page[limit]=${PAGE}&fields[${type}]=${fields}`
  for (let page = 0; next !== null && page <= MOST_PAGES; page += 1) {
    const read = newestPage(stream, await api.get(next, signal))
    rows.push(...read.rows)
    count += read.count
    if (known === null || (read.oldest ?? '') <= known) return { rows, count, complete: true }
    next = read.next === null ? null : widest(read.next)
  }
  return { rows, count, complete: next === null }
}

type NewestPage = {
  readonly rows: readonly MonitorRow[]
  readonly count: number
  readonly oldest: string | null
  readonly next: string | null
}

/** @throws ApiFailure */
const newestPage = (stream: LiveStream, document: JsonValue): NewestPage => {
  const { kinds } = SOURCES[stream]
  const { rows, next } = readPage(({ id, attributes }) => ({ id, ...attributes }))(document)
  return {
    rows: rows.flatMap((data) => kinds(data).flatMap((kind) => readRow(stream, kind, data) ?? [])),
    count: rows.length,
    oldest: rows.at(-1)?.id ?? null,
    next,
  }
}
