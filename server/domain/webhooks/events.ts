// The events that can be subscribed to: a row each, with the resource it belongs to and the fact it is made from.
import type { FactKind } from '../ledger/facts.ts'

export const RESOURCE_TYPES = ['item'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

interface EventRow {
  readonly resource: ResourceType
  /** One fact is one event, but for a block: that is one event for each of its items. */
  readonly fact: FactKind
  readonly meaning: string
  /** What `data` carries: the resource as it was, by the names of its published fields and in their form. */
  readonly data: readonly string[]
}

/** As the function `item_snapshot` writes it. */
const ITEM = [
  'id',
  'state',
  'visibility',
  'claims_hash',
  'metadata_hash',
  'item_hash',
  'tags',
  'team_id',
  'block_id',
  'inserted_at',
  'committed_at',
  'redacted_at',
] as const

/** What is recorded without claims can be told without claims: data is the fact's own snapshot. */
export const EVENTS = {
  'item.created': { resource: 'item', fact: 'item.created', meaning: 'an item was submitted', data: ITEM },
  'item.committed': {
    resource: 'item',
    fact: 'block.finalized',
    meaning: 'its block was finalized',
    data: ITEM,
  },
  'item.redacted': { resource: 'item', fact: 'item.redacted', meaning: 'its claims were erased', data: ITEM },
  'item.unredacted': {
    resource: 'item',
    fact: 'item.unredacted',
    meaning: 'its claims were restored',
    data: ITEM,
  },
  'item.deleted': { resource: 'item', fact: 'item.deleted', meaning: 'it is gone for good', data: ['id'] },
} as const satisfies Record<string, EventRow>

export type EventName = keyof typeof EVENTS

export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[]

export const isEventOf = (resource: string, name: string): name is EventName =>
  Object.hasOwn(EVENTS, name) && EVENTS[name as EventName].resource === resource
