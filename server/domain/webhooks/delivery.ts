// One event on its way to one endpoint: the record that is shown, and the row that is the queue.

import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ulidFrom } from '../../../shared/proof/ulid.ts'
import { uuid7From } from '../../../shared/proof/uuid7.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db } from '../../store/run.ts'
import type { Sql } from '../../store/statement.ts'

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
export type WebhookDelivery = Omit<PlainRow<typeof TABLES.webhook_deliveries>, 'attemptLog'> & {
  readonly attemptLog: readonly AttemptEntry[]
}

const plain = rowReader(TABLES.webhook_deliveries)

export const deliveryOf = (columns: Readonly<Record<string, unknown>>): WebhookDelivery => {
  const row = plain(columns)
  return { ...row, attemptLog: attemptsIn(row.attemptLog) }
}

/** Nothing where the log was not read. */
function attemptsIn(log: unknown): readonly AttemptEntry[] {
  if (log === undefined) return []
  if (!Array.isArray(log) || !log.every(isAttempt)) throw new Error('An attempt log holds something else.')
  return log
}

const isAttempt = (entry: Readonly<Record<string, unknown>>): entry is AttemptEntry & typeof entry =>
  typeof entry.number === 'number' && typeof entry.at === 'string' && Array.isArray(entry.resolved_addresses)

/** Any delivery by its id; whoever asks has to know that it may be seen. */
export async function deliveryById(
  { em }: { em: EntityManager },
  id: string,
): Promise<WebhookDelivery | undefined> {
  const found = await db(em)
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return found === undefined ? undefined : deliveryOf(found)
}

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
export const payloadSql = (type: Sql, data: Sql): Sql =>
  sql`('{"type":' || to_json((${type})::text)::text || ',"timestamp":' || floor(extract(epoch FROM pharos_now()))::bigint
    || ',"data":' || (${data})::text || '}')`
