// The newest rows of each stream from the API, so that the list is not empty at first and has what was missed.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { Api } from '../data/api_client.ts'
import type { JsonObject } from '../data/json_object.ts'
import type { LiveStream } from '../data/live_events.ts'
import { readPage } from '../data/resource.ts'
import { type MonitorRow, readRow } from './monitor_row.ts'

type Newest = {
  readonly path: string
  readonly type: string
  /** Those that the events carry. */
  readonly fields: string
  /** What can be known to have happened from the resource alone. */
  readonly kinds: (now: JsonObject) => readonly string[]
}

const PAGE = 8

const NEWEST: Readonly<Record<LiveStream, Newest>> = {
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

/** @throws ApiFailure */
export const readNewest = async (
  api: Api,
  stream: LiveStream,
  signal: AbortSignal,
): Promise<readonly MonitorRow[]> => {
  const { path, type, fields } = NEWEST[stream]
  const query = `page[limit]=${PAGE}&fields[${type}]=${fields}`
  return newestRows(stream, await api.get(`/api/json/${path}?${query}`, signal))
}

/** @throws ApiFailure */
const newestRows = (stream: LiveStream, document: JsonValue): readonly MonitorRow[] => {
  const { kinds } = NEWEST[stream]
  return readPage(({ id, attributes }) => ({ id, ...attributes }))(document).rows.flatMap((data) =>
    kinds(data).flatMap((kind) => readRow(stream, kind, data) ?? []),
  )
}
