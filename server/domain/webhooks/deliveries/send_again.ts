// Sends deliveries again: the same bytes and the same message id in a new record. A message has at most one pending
// delivery per endpoint.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { int4, nullable, type RowOf, text } from '../../../store/columns.ts'
import { change, command, inTransaction, rows, type Sql, statement } from '../../../store/statement.ts'
import { newDeliveryIds } from './delivery.ts'
import { tellListeners } from './delivery_listeners.ts'
import type { SendRetries } from './retry.ts'

/** @param ids the new ids, one for each row of `old` in the order of `n` */
export const insertAgain = (old: Sql, ids: readonly string[]): Sql => sql`
  ${old},
  made AS (
    INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                    creator_id, team_id, visibility, is_sample, status, next_attempt_at, pull_xid, payload)
    SELECT new.id, o.user_id, o.endpoint_id, o.event_type, o.resource_type, o.resource_id, o.message_id,
           o.creator_id, o.team_id, o.visibility, o.is_sample, 'pending',
           CASE WHEN e.kind IS DISTINCT FROM 'pull' THEN pharos_now() END,
           CASE WHEN e.kind = 'pull' THEN pg_current_xact_id() END, o.payload
      FROM old o JOIN unnest(${ids}::text[]) WITH ORDINALITY AS new (id, n) ON new.n = o.n
      LEFT JOIN webhook_endpoints e ON e.id = o.endpoint_id
    RETURNING webhook_deliveries AS d),
  recorded AS (${tellListeners('delivery.created', 'made')})`

/** Admits one redelivery per endpoint at a time. An advisory lock leaves the endpoint's row free for deliveries. */
export const ALONE = command(
  ({ endpointId }: { endpointId: string }) =>
    sql`SELECT pg_advisory_xact_lock(hashtextextended('recover ' || ${endpointId}, 0))`,
)

/** What one statement looked at and made. `at` and `id` are the place of the last row that it looked at. */
export const PIECE_MADE = { made: int4, looked: int4, at: nullable(text), id: nullable(text) }

/** What one statement may look at: the rows beyond a place, as many as there are ids for new ones. */
export interface Piece {
  readonly endpointId: string
  readonly ids: readonly string[]
  /** The place: a time, and the id of the last row of that time that was looked at. */
  readonly at: string
  readonly id: string
  /** The time when the work began. What is made meanwhile is not looked at, or the work might never end. */
  readonly until: string
}

const PIECE = 2_000

/** Milliseconds after which the work stops and tells how far it came, so that one request does not run too long. */
const LONGEST_MS = 5_000

export interface SentAgain {
  readonly count: number
  /** Undefined when everything was looked at. Otherwise the caller continues from this time. */
  readonly next: Date | undefined
}

export interface SendingAgain {
  readonly em: EntityManager
  readonly sendRetries: SendRetries
  readonly withinMs?: number
}

/**
 * Works off all deliveries of an endpoint from a time on, a piece in each transaction. Only one caller at a time does so
 * for an endpoint.
 * @throws not_found when the endpoint is not this user's
 */
export async function sendAgain(
  { em, sendRetries, withinMs = LONGEST_MS }: SendingAgain,
  which: { endpointId: string; userId: string; from: Date; most?: number },
  send: (tx: EntityManager, piece: Piece) => Promise<RowOf<typeof PIECE_MADE>>,
): Promise<SentAgain> {
  const { endpointId, from, most = Number.POSITIVE_INFINITY } = which
  const deadline = performance.now() + withinMs
  const [owned] = await rows(em, OWNED(which))
  if (owned === undefined) throw refuse('not_found')
  let place = { at: from.toISOString(), id: '' }
  for (let count = 0; ; ) {
    const size = Math.min(PIECE, most - count)
    const { made, looked, at, id } = await inTransaction(em, async (tx) => {
      // Locks in its own statement, so that the next statement sees what the previous holder of the lock has sent.
      await change(tx, ALONE({ endpointId }))
      const piece = await send(tx, { endpointId, ids: newDeliveryIds(size), ...place, until: owned.until })
      if (piece.made > 0) await sendRetries(tx, [{ endpointId, afterMs: 0 }])
      return piece
    })
    count += made
    if (looked < size || at === null || id === null) return { count, next: undefined }
    place = { at, id }
    if (count >= most || performance.now() >= deadline) return { count, next: new Date(at) }
  }
}

const OWNED = statement(
  { until: text },
  ({ endpointId, userId }: { endpointId: string; userId: string }) => sql`
  SELECT pharos_now()::timestamptz(3)::text AS until FROM webhook_endpoints WHERE id = ${endpointId} AND user_id = ${userId}`,
)
