// The events an endpoint can hear of: what each means, and what its delivery looks like.
import type { JsonObject } from '../../../shared/proof/json_value.ts'

type EventRow = { readonly meaning: string; readonly data: JsonObject }

const item: JsonObject = {
  id: '01MB78W7FGY7TZHKNWE7WA3Z57',
  state: 'created',
  visibility: 'private',
  claims_hash: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4',
  metadata_hash: '2c1f7f3b8a6c0b1de1a2a5b7f4ab0c35d4a9a4f3f6f6f0a3f0c8f4a2bb7d1e90',
  item_hash: 'a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447',
  tags: ['invoices'],
  team_id: '01a2ce8c-be60-74a1-9884-d675915e9850',
  block_id: null,
  inserted_at: '2027-01-01T00:00:12.345Z',
  committed_at: null,
  redacted_at: null,
}

const inBlock: JsonObject = {
  ...item,
  state: 'committed',
  block_id: '01a2ce8c-be60-7b4c-8d1e-0f5a6b7c8d9e',
  committed_at: '2027-01-01T00:01:00.000Z',
}

export const EVENTS = {
  'item.created': { meaning: 'An item was submitted.', data: item },
  'item.committed': {
    meaning: 'Its block was finalized: from now on it has its place in the chain.',
    data: inBlock,
  },
  'item.redacted': {
    meaning: 'Its claims were erased; the hashes stay.',
    data: { ...inBlock, state: 'redacted', redacted_at: '2027-01-02T09:30:00.000Z' },
  },
  'item.unredacted': { meaning: 'Its claims were restored.', data: inBlock },
  'item.deleted': { meaning: 'It is gone for good. Only its id is told.', data: { id: item.id ?? '' } },
} as const satisfies Record<string, EventRow>

export type EventName = keyof typeof EVENTS

const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name)

export const EVENT_NAMES: readonly EventName[] = Object.keys(EVENTS).filter(isEventName)

/** The request as a receiver sees it. */
export const exampleOf = (name: EventName): string =>
  [
    'POST /your/path HTTP/1.1',
    'content-type: application/json',
    'user-agent: pharos-Webhook/1.0',
    'webhook-id: msg_01MB78W7FGY7TZHKNWE7WA3Z57',
    `x-pharos-event: ${name}`,
    'x-pharos-delivery: 01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    'x-pharos-timestamp: 1798761613',
    '',
    JSON.stringify({ type: name, timestamp: 1_798_761_612, data: EVENTS[name].data }, null, 2),
  ].join('\n')
