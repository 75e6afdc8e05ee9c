// A delivery: one event for one endpoint. Its row is both the shown record and the queue entry. It is kept for 31 days.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7, ulidFrom } from '../../../kernel/identifiers.ts'
import { prunes } from '../../../store/bounded_change.ts'
import { TABLES } from '../../../store/database.ts'
import { type PlainRow, rowReader } from '../../../store/row_reader.ts'
import { change, command, db, type Sql } from '../../../store/statement.ts'
import { readFeatureFlag } from '../../accounts/feature_flag.ts'

/** Maximum number of resolved addresses that are stored with an attempt. */
export const MAX_ADDRESSES = 64

export const DELIVERY_STATUSES = ['pending', 'success', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/**
 * The record of one attempt: the addresses of the host, the address that was called, and the result. What is read has one,
 * the first answer that held it, or would have: without addresses, status and duration.
 */
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
  const isOfReader = row.pullXid !== null && row.attemptLog !== undefined
  return { ...row, attemptLog: isOfReader ? readingIn(row) : attemptsIn(row.attemptLog) }
}

/** The columns say it already. Written down it would cost each delivery that is read some hundred bytes. */
const readingIn = ({
  firstAttemptAt,
  error,
}: Pick<WebhookDelivery, 'firstAttemptAt' | 'error'>): readonly AttemptEntry[] =>
  firstAttemptAt === null
    ? []
    : [
        {
          number: 1,
          at: firstAttemptAt.toISOString(),
          resolved_addresses: [],
          address: null,
          http_status: null,
          error,
          duration_ms: null,
        },
      ]

/** Returns an empty list when the column was not read. */
function attemptsIn(log: unknown): readonly AttemptEntry[] {
  if (log === undefined) return []
  if (!Array.isArray(log) || !log.every(isAttempt)) throw new Error('An attempt log holds something else.')
  return log
}

const isAttempt = (entry: Readonly<Record<string, unknown>>): entry is AttemptEntry & typeof entry =>
  typeof entry.number === 'number' && typeof entry.at === 'string' && Array.isArray(entry.resolved_addresses)

/**
 * Returns any delivery by its id, undefined when there is none. It does not check permissions; the caller must do
 * that.
 */
export async function deliveryById(em: EntityManager, id: string): Promise<WebhookDelivery | undefined> {
  const found = await db(em)
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return found === undefined ? undefined : deliveryOf(found)
}

/**
 * Ids for this many new records, in ascending order: readers get what one transaction made in the order of its ids. No
 * code relies on the times in these ids.
 */
export const newDeliveryIds = (count: number): string[] => Array.from({ length: count }, newUuid7).sort()

/** `msg_` and a ULID, e.g. `msg_01MB78W7FGY7TZHKNWE7WA3Z57`. Receivers recognise repetitions by it. */
export function newMessageIds(count: number): string[] {
  const nowMs = Date.now()
  // Drawn for all ids at once, because one draw per id costs more than the bytes.
  const bytes = randomBytes(10 * count)
  return Array.from(
    { length: count },
    (_, n) => `msg_${ulidFrom(nowMs, bytes.subarray(10 * n, 10 * n + 10))}`,
  )
}

/** SQL for the request body as one JSON text. It contains no claims, because no snapshot contains any. */
export const payloadSql = (type: Sql, data: Sql): Sql =>
  sql`('{"type":' || to_json((${type})::text)::text || ',"timestamp":' || floor(extract(epoch FROM pharos_now()))::bigint
    || ',"data":' || (${data})::text || '}')`

/** What is due later, or at once but not in the hands of this worker, waits as a retry of its endpoint. */
interface Retry {
  readonly endpointId: string
  /** Milliseconds from now until the endpoint has something due. */
  readonly afterMs: number
}

/**
 * Sends the retries in the transaction of `em`. An endpoint has at most one that waits: another one only moves it forward.
 * Safe to repeat, because an endpoint without anything due costs no more than a look.
 */
export type SendRetries = (em: EntityManager, retries: readonly Retry[]) => Promise<void>

/** So many rows of a piece of other chores, because each look passes everything that was deleted since the last vacuum. */
const TIMES = 10

/** Deletes at most ten times `limit` rows. Returns how many, 0 while the operator has switched pruning off. */
export const pruneDeliveries = async (em: EntityManager, limit: number): Promise<number> =>
  (await readFeatureFlag(em, 'webhooks.prune')) ? change(em, PRUNE({ limit: limit * TIMES })) : 0

/**
 * By their places, because finding the rows again by id would cost as much as the deletion. It locks no row first, because each
 * lock is another record in the log. A row that is changed meanwhile gets another place and goes with a later piece, and what
 * another server deletes at the same time is deleted once. Indexes: webhook_deliveries_inserted_at or webhook_deliveries_age.
 */
const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE inserted_at < pharos_now() - interval '31 days'
     LIMIT ${limit}))`,
)

/**
 * Deletes copies that are no longer read. A change that saw a block in the queue can commit its copy after the block
 * has left the queue.
 */
export const pruneKeptItems = prunes(
  'webhook_kept_items',
  sql`NOT EXISTS (SELECT FROM webhook_facts f WHERE f.fact_id = webhook_kept_items.fact_id)`,
)
