// One event on its way to one endpoint: the record that is shown, and the row that is the queue.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ulidFrom } from '../../../shared/proof/ulid.ts'
import { uuid7From } from '../../../shared/proof/uuid7.ts'
import type { ResourceType } from '../../../shared/wire/webhook_events.ts'
import { plainRow } from '../../store/plain_row.ts'
import { rows } from '../../store/rows.ts'

/** Of all that a name stood for, so many are kept with an attempt. */
export const MAX_ADDRESSES = 64

export const DELIVERY_STATUSES = ['pending', 'success', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The evidence of one attempt: what the name stood for, where the request went, and what came of it. */
export interface AttemptEntry {
  readonly number: number
  readonly at: string
  readonly resolved_addresses: readonly string[]
  /** Null when nothing was sent. */
  readonly address: string | null
  readonly http_status: number | null
  readonly error: string | null
  readonly duration_ms: number | null
}

/** `payload` is the text that every attempt sends. */
export interface WebhookDelivery {
  readonly id: string
  readonly userId: string
  readonly endpointId: string
  readonly eventType: string
  readonly resourceType: ResourceType
  readonly resourceId: string
  readonly messageId: string
  readonly status: DeliveryStatus
  readonly httpStatus: number | null
  readonly error: string | null
  readonly attempts: number
  readonly durationMs: number | null
  readonly nextAttemptAt: Date | null
  readonly firstAttemptAt: Date | null
  readonly lastAttemptAt: Date | null
  readonly completedAt: Date | null
  readonly payload: string
  readonly responseBody: string | null
  readonly attemptLog: readonly AttemptEntry[]
  readonly insertedAt: Date
  readonly updatedAt: Date
}

/** Any delivery by its id; whoever asks has to know that it may be seen. */
export async function deliveryById(
  { em }: { em: EntityManager },
  id: string,
): Promise<WebhookDelivery | undefined> {
  const [columns] = await rows<Record<string, unknown>>(
    em,
    'SELECT * FROM webhook_deliveries WHERE id = $1',
    [id],
  )
  return columns === undefined ? undefined : deliveryOf(columns)
}

export const deliveryOf = (columns: Readonly<Record<string, unknown>>): WebhookDelivery =>
  plainRow<WebhookDelivery>(columns)

/** For as many new records: nobody relies on the times in these ids. */
export function newDeliveryIds(count: number): string[] {
  const draw = drawing(count)
  return Array.from({ length: count }, (_, n) => uuid7From(draw.nowMs, draw.of(n)))
}

/** `msg_` and a ULID, e.g. `msg_01MB78W7FGY7TZHKNWE7WA3Z57`: what receivers tell repetitions by. */
export function newMessageIds(count: number): string[] {
  const draw = drawing(count)
  return Array.from({ length: count }, (_, n) => `msg_${ulidFrom(draw.nowMs, draw.of(n))}`)
}

/** Randomness for all of them at once: a draw for each costs more than the bytes. */
function drawing(count: number): { readonly nowMs: number; readonly of: (n: number) => Uint8Array } {
  const bytes = randomBytes(RANDOM_BYTES * count)
  return {
    nowMs: Date.now(),
    of: (n) => bytes.subarray(RANDOM_BYTES * n, RANDOM_BYTES * (n + 1)),
  }
}

const RANDOM_BYTES = 10

/** The body of a request as SQL: one JSON text, claims nowhere in it, since no snapshot has any. */
export const payloadSql = (type: string, data: string): string =>
  `('{"type":' || to_json((${type})::text)::text || ',"timestamp":' || floor(extract(epoch FROM pharos_now()))::bigint
    || ',"data":' || (${data})::text || '}')`
