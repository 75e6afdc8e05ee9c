// The events that webhooks deliver, one row each. Server, API document and console read them here.
import type { JsonObject } from '../proof/json_value.ts'

/** The resources that an endpoint may subscribe to. The name of an event begins with its resource. */
export const RESOURCE_TYPES = ['item', 'webhook_endpoint'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

interface EventRow {
  /**
   * The kind of fact that causes the event, a row of `FACT_KINDS` in `ledger/facts.ts`. No two events share
   * one.
   */
  readonly fact: string
  /**
   * `subject`: one delivery for the subject of the fact. `item_of_block`: one delivery for each item of the
   * block that is the subject.
   */
  readonly each: 'subject' | 'item_of_block'
  readonly meaning: string
  /** A consequence of the event, for people who choose events. */
  readonly note?: string
  /** Example of `data`, field by field: the resource at that time, with the names of its published fields. */
  readonly example: JsonObject
}

/** As the SQL function `item_snapshot` writes it. Never contains claims. */
const CREATED = {
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
} satisfies JsonObject

const COMMITTED = {
  ...CREATED,
  state: 'committed',
  block_id: '01a2ce8c-be60-7b4c-8d1e-0f5a6b7c8d9e',
  committed_at: '2027-01-01T00:01:00.000Z',
} satisfies JsonObject

/** As the SQL function `endpoint_snapshot` writes it. Never contains secrets, nor the address, whose path may be one. */
const ENDPOINT = {
  id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
  kind: 'push',
  description: 'Accounting',
  signing: 'v1',
  enabled: true,
  disabled_reason: null,
  consecutive_failures: 0,
  last_success_at: '2027-01-01T00:00:12.345Z',
  last_failure_at: null,
  updated_at: '2027-01-01T00:00:00.000Z',
} satisfies JsonObject

export const EVENTS = {
  'item.created': {
    fact: 'item.created',
    each: 'subject',
    meaning: 'an item was submitted',
    example: CREATED,
  },
  'item.committed': {
    fact: 'block.finalized',
    each: 'item_of_block',
    meaning: 'its block was finalized',
    note: 'From now on it has its place in the chain.',
    example: COMMITTED,
  },
  'item.provable': {
    fact: 'block.committed',
    each: 'item_of_block',
    meaning: 'a public chain confirmed its block',
    note: 'From now on its proof can be fetched.',
    example: COMMITTED,
  },
  'item.redacted': {
    fact: 'item.redacted',
    each: 'subject',
    meaning: 'its claims were erased',
    note: 'The hashes stay.',
    example: { ...COMMITTED, state: 'redacted', redacted_at: '2027-01-02T09:30:00.000Z' },
  },
  'item.unredacted': {
    fact: 'item.unredacted',
    each: 'subject',
    meaning: 'its claims were restored',
    example: COMMITTED,
  },
  'item.deleted': {
    fact: 'item.deleted',
    each: 'subject',
    meaning: 'it is gone for good',
    note: 'Only its id is told.',
    example: { id: CREATED.id },
  },
  'webhook_endpoint.failing': {
    fact: 'webhook_endpoint.failing',
    each: 'subject',
    meaning: 'ten deliveries in a row failed for good',
    example: { ...ENDPOINT, consecutive_failures: 10, last_failure_at: '2027-01-02T09:30:00.000Z' },
  },
  'webhook_endpoint.disabled': {
    fact: 'webhook_endpoint.disabled',
    each: 'subject',
    meaning: 'an endpoint was switched off',
    example: { ...ENDPOINT, enabled: false, disabled_reason: 'manual' },
  },
  'webhook_endpoint.secret_rotated': {
    fact: 'webhook_endpoint.secret_rotated',
    each: 'subject',
    meaning: 'an endpoint got a new signing key',
    note: 'The key is not told.',
    example: ENDPOINT,
  },
} as const satisfies Readonly<Record<`${ResourceType}.${string}`, EventRow>>

export type EventName = keyof typeof EVENTS

export const isEvent = (name: string): name is EventName => Object.hasOwn(EVENTS, name)

export const EVENT_NAMES: readonly EventName[] = Object.keys(EVENTS).filter(isEvent)

export const isEventOf = (resource: ResourceType, name: string): name is EventName =>
  isEvent(name) && name.startsWith(`${resource}.`)

/** The events to which an endpoint of this resource may subscribe. */
export const eventsOf = (resource: ResourceType): readonly EventName[] =>
  EVENT_NAMES.filter((name) => isEventOf(resource, name))

export const resourceOf = (event: EventName): ResourceType =>
  RESOURCE_TYPES.find((resource) => isEventOf(resource, event)) ?? RESOURCE_TYPES[0]

/** Such as `Its block was finalized. From now on it has its place in the chain.` */
export function tellEvent(event: EventName): string {
  const { meaning, note }: EventRow = EVENTS[event]
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
  return note === undefined ? sentence : `${sentence} ${note}`
}
