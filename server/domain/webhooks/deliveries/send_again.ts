// Sends deliveries again: the same bytes and the same message id in a new record. A message has at most one pending
// delivery per endpoint.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { bool, int4, type RowOf, text } from '../../../store/columns.ts'
import {
  change,
  command,
  inTransaction,
  row,
  rows,
  type Sql,
  type Statement,
  statement,
} from '../../../store/statement.ts'
import { newDeliveryIds, type SendRetries } from './delivery.ts'
import { tellListeners } from './delivery_listeners.ts'

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

/** A delivery that was looked at: its place in the order, and whether it is to be sent again if it still counts. */
export const LOOKED = { id: text, at: text, message_id: text, is_wanted: bool }

/** What one statement may look at: the first rows beyond a place. */
export interface Piece {
  readonly endpointId: string
  /** The place: a time, and the id of the last row of that time that was looked at. */
  readonly at: string
  readonly id: string
  /** Before the work began: what is made meanwhile is not looked at, or it might never end. */
  readonly until: string
  readonly size: number
}

const PIECE = 2_000

/** Milliseconds after which the work stops and tells how far it came, so that one request does not run too long. */
const LONGEST_MS = 5_000

export interface SentAgain {
  readonly count: number
  /** Undefined when everything was looked at. Otherwise the caller continues from this time. */
  readonly next: Date | undefined
  /** Until when everything is looked at, this time included: it lies before the work began, and is `to` at the latest. */
  readonly until: Date
}

export interface SendingAgain {
  readonly em: EntityManager
  readonly sendRetries: SendRetries
  readonly withinMs?: number
}

/**
 * Works off the deliveries of an endpoint in a range of time, both ends included, a piece in each transaction. Only one
 * caller at a time does so for an endpoint. A message that still waits for an attempt is left to it. With `to`, a message
 * that got through after the range is left out, so whoever repeats a call, or goes on after a kill, sends nothing twice.
 * @param look the rows of a piece, in order
 * @throws not_found when the endpoint is not this user's
 */
export async function sendAgain(
  { em, sendRetries, withinMs = LONGEST_MS }: SendingAgain,
  which: { endpointId: string; userId: string; from: Date; to?: Date; most?: number },
  look: (piece: Piece) => Statement<RowOf<typeof LOOKED>>,
): Promise<SentAgain> {
  const { endpointId, userId, from, to, most = Number.POSITIVE_INFINITY } = which
  const deadline = performance.now() + withinMs
  const [owned] = await rows(em, OWNED({ endpointId, userId, to: to?.toISOString() ?? null }))
  if (owned === undefined) throw refuse('not_found')
  const { until } = owned
  let place = { at: from.toISOString(), id: '' }
  for (let count = 0; ; ) {
    const size = Math.min(PIECE, most - count)
    const looked = await inTransaction(em, async (tx) => {
      // Locks in its own statement, so that the next statement sees what the previous holder of the lock has sent.
      await change(tx, ALONE({ endpointId }))
      const piece = await rows(tx, look({ endpointId, ...place, until, size }))
      const wanted = piece.filter((one) => one.is_wanted)
      const sent = {
        endpointId,
        userId,
        olds: wanted.map(({ id }) => id),
        messages: wanted.map(({ message_id }) => message_id),
        ids: newDeliveryIds(wanted.length),
        until: to === undefined ? null : until,
      }
      const { made, is_due } = await row(tx, SEND(sent))
      if (is_due) await sendRetries(tx, [{ endpointId, afterMs: 0 }])
      count += made
      return piece
    })
    const last = looked.at(-1)
    const end = { count, until: new Date(until) }
    if (last === undefined || looked.length < size) return { ...end, next: undefined }
    place = last
    if (count >= most || performance.now() >= deadline) return { ...end, next: new Date(last.at) }
  }
}

/** Times are whole milliseconds, so what is made from now on lies after a range that ends one before. */
const OWNED = statement(
  { until: text },
  ({ endpointId, userId, to }: { endpointId: string; userId: string; to: string | null }) => sql`
  SELECT CASE WHEN ${to}::timestamptz IS NULL THEN pharos_now()
              ELSE least(pharos_now() - interval '1 millisecond', ${to}::timestamptz) END::text AS until
    FROM webhook_endpoints WHERE id = ${endpointId} AND user_id = ${userId}`,
)

/**
 * Of the deliveries of a message only one counts: the one that waits, or else the latest, of which those beyond the range
 * count when they got through. They are found by their messages, which are given as values, because a plan that expects few
 * rows compares every row with every other.
 * Index: webhook_deliveries_message_id.
 */
const SEND = statement(
  {
    made: int4,
    /** False where it waits to be read. */
    is_due: bool,
  },
  (sent: {
    endpointId: string
    userId: string
    olds: readonly string[]
    messages: readonly string[]
    ids: readonly string[]
    /** The end of the range. Null for none. */
    until: string | null
  }) => sql`
  WITH counting AS (
    SELECT DISTINCT ON (d.message_id) d.* FROM webhook_deliveries d
     WHERE d.user_id = ${sent.userId} AND d.message_id = ANY (${sent.messages}::text[]) AND d.endpoint_id = ${sent.endpointId}
       AND (d.status IN ('pending', 'success') OR ${sent.until}::timestamptz IS NULL OR d.inserted_at <= ${sent.until}::timestamptz)
     ORDER BY d.message_id, d.status = 'pending' DESC, d.inserted_at DESC, d.id DESC),
  ${insertAgain(
    sql`old AS (
    SELECT c.*, w.n FROM counting c JOIN unnest(${sent.olds}::text[]) WITH ORDINALITY AS w (id, n) ON w.id = c.id)`,
    sent.ids,
  )}
  SELECT count(*)::int AS made, coalesce(bool_or((d).next_attempt_at IS NOT NULL), false) AS is_due FROM made`,
)
