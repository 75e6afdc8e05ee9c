// Sends deliveries again, with the same bytes and the same message id in a new record. A message has at most one
// pending delivery per endpoint: another request while one is pending only makes its next attempt due.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { bool, int4, nullable, text } from '../../../store/columns.ts'
import {
  change,
  command,
  inTransaction,
  type RowFrom,
  row,
  rows,
  type Sql,
  statement,
} from '../../../store/statement.ts'
import { deliveryById, newDeliveryIds, type WebhookDelivery } from './delivery.ts'
import { tellListeners } from './delivery_listeners.ts'
import type { SendRetries } from './retry.ts'

interface Redelivering {
  readonly em: EntityManager
  readonly sendRetries: SendRetries
}

/**
 * Returns the delivery that is sent now: a new one, or the pending one, whose next attempt is made due. A sample
 * still gets only one attempt.
 * @throws not_found
 * @throws conflict when the endpoint is deleted
 */
export async function redeliver(
  { em, sendRetries }: Redelivering,
  { id, userId }: { id: string; userId: string },
): Promise<WebhookDelivery> {
  const [known] = await rows(em, KNOWN({ id, userId }))
  if (known === undefined) throw refuse('not_found')
  if (!known.has_endpoint) throw refuse('conflict', { detail: 'the endpoint was deleted' })
  const delivery = await inTransaction(em, async (tx) => {
    await change(tx, ALONE({ endpointId: known.endpoint_id }))
    const [waiting] = await rows(tx, BRING_FORWARD({ id }))
    const due = waiting?.id ?? (await row(tx, REDELIVER({ ids: [newUuid7()], id }))).delivery
    await sendRetries(tx, [{ endpointId: known.endpoint_id, afterMs: 0 }])
    return due
  })
  const made = await deliveryById(em, delivery)
  if (made === undefined) throw new Error(`Delivery ${delivery} is gone as soon as it was made.`)
  return made
}

const PIECE = 2_000

/** Milliseconds after which a recovery stops and returns its progress, so that one request does not run too long. */
const RECOVER_MS = 5_000

interface Recovered {
  readonly count: number
  /** Undefined when everything was examined. Otherwise the caller continues from this time. */
  readonly nextSince: Date | undefined
}

/**
 * Sends every delivery again that ended `failed` or `cancelled` at or after `since` and was not sent again yet.
 * Returns how many. Repeated and parallel calls send nothing twice.
 * @throws not_found
 */
export async function recover(
  { em, sendRetries, withinMs = RECOVER_MS }: Redelivering & { withinMs?: number },
  { endpointId, userId, since }: { endpointId: string; userId: string; since: Date },
): Promise<Recovered> {
  const deadline = performance.now() + withinMs
  // Fixes the end of the range now. A delivery that this call sends again may fail before the call ends, and without
  // a limit the call might never end.
  const [owned] = await rows(em, OWNED({ endpointId, userId }))
  if (owned === undefined) throw refuse('not_found')
  let after = { at: since.toISOString(), id: '' }
  for (let count = 0; ; ) {
    const piece: RowFrom<typeof RECOVER> = await inTransaction(em, async (tx) => {
      // Locks in its own statement, so that the next statement sees what the previous holder of the lock has sent.
      await change(tx, ALONE({ endpointId }))
      const made = await row(
        tx,
        RECOVER({ ids: newDeliveryIds(PIECE), endpointId, ...after, until: owned.until }),
      )
      if (made.made > 0) await sendRetries(tx, [{ endpointId, afterMs: 0 }])
      return made
    })
    count += piece.made
    if (piece.looked < PIECE || piece.at === null || piece.id === null) return { count, nextSince: undefined }
    after = { at: piece.at, id: piece.id }
    if (performance.now() >= deadline) return { count, nextSince: new Date(after.at) }
  }
}

const KNOWN = statement(
  { endpoint_id: text, has_endpoint: bool },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT endpoint_id, EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS has_endpoint
    FROM webhook_deliveries d WHERE d.id = ${id} AND d.user_id = ${userId}`,
)

const OWNED = statement(
  { until: text },
  ({ endpointId, userId }: { endpointId: string; userId: string }) => sql`
  SELECT pharos_now()::timestamptz(3)::text AS until FROM webhook_endpoints WHERE id = ${endpointId} AND user_id = ${userId}`,
)

/** @param ids the new ids, one for each row of `old` in the order of `n` */
const insertAgain = (old: Sql, ids: readonly string[]): Sql => sql`
  ${old},
  made AS (
    INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                    creator_id, team_id, visibility, is_sample, status, next_attempt_at, payload)
    SELECT new.id, o.user_id, o.endpoint_id, o.event_type, o.resource_type, o.resource_id, o.message_id,
           o.creator_id, o.team_id, o.visibility, o.is_sample, 'pending', pharos_now(), o.payload
      FROM old o JOIN unnest(${ids}::text[]) WITH ORDINALITY AS new (id, n) ON new.n = o.n
    RETURNING webhook_deliveries AS d),
  recorded AS (${tellListeners('delivery.created', 'made')})`

const REDELIVER = statement(
  { delivery: text },
  ({ ids, id }: { ids: readonly string[]; id: string }) => sql`
  WITH ${insertAgain(sql`old AS (SELECT d.*, 1::bigint AS n FROM webhook_deliveries d WHERE d.id = ${id})`, ids)}
  SELECT (d).id AS delivery FROM made`,
)

/** Makes the pending delivery of this message due, if there is one. Index: webhook_deliveries_message_id. */
const BRING_FORWARD = statement(
  { id: text },
  ({ id }: { id: string }) => sql`
  WITH waiting AS (
    SELECT w.id FROM webhook_deliveries d JOIN webhook_deliveries w
        ON w.user_id = d.user_id AND w.message_id = d.message_id AND w.endpoint_id = d.endpoint_id
     WHERE d.id = ${id} AND w.status = 'pending'
     ORDER BY w.inserted_at LIMIT 1 FOR UPDATE OF w),
  due AS (
    UPDATE webhook_deliveries w
       SET next_attempt_at = least(w.next_attempt_at, pharos_now()), updated_at = pharos_now()
      FROM waiting WHERE w.id = waiting.id AND w.status = 'pending'
    RETURNING w AS d),
  recorded AS (${tellListeners('delivery.updated', 'due')})
  SELECT (d).id FROM due`,
)

/** Admits one redelivery per endpoint at a time. An advisory lock leaves the endpoint's row free for deliveries. */
const ALONE = command(
  ({ endpointId }: { endpointId: string }) =>
    sql`SELECT pg_advisory_xact_lock(hashtextextended('recover ' || ${endpointId}, 0))`,
)

/** When a message was sent again later, only its latest delivery counts. Index: webhook_deliveries_lost. */
interface RecoverPiece {
  readonly ids: readonly string[]
  readonly endpointId: string
  readonly at: string
  readonly id: string
  readonly until: string
}

const RECOVER = statement(
  { made: int4, looked: int4, at: nullable(text), id: nullable(text) },
  ({ ids, endpointId, at, id, until }: RecoverPiece) => sql`
  WITH lost AS MATERIALIZED (
    SELECT d.* FROM webhook_deliveries d
     WHERE d.endpoint_id = ${endpointId} AND d.status IN ('failed', 'cancelled')
       AND (d.completed_at, d.id) >= (${at}::timestamptz, ${id}) AND d.id <> ${id}
       AND d.completed_at <= ${until}::timestamptz
     ORDER BY d.completed_at, d.id LIMIT ${sql.lit(PIECE)}),
  ${insertAgain(
    sql`old AS (
    SELECT l.*, row_number() OVER (ORDER BY l.completed_at, l.id) AS n FROM lost l
     WHERE NOT l.is_sample AND NOT EXISTS (
       SELECT FROM webhook_deliveries later
        WHERE later.user_id = l.user_id AND later.message_id = l.message_id AND later.endpoint_id = l.endpoint_id
          AND later.inserted_at > l.inserted_at))`,
    ids,
  )}
  SELECT (SELECT count(*)::int FROM made) AS made, (SELECT count(*)::int FROM lost) AS looked,
         (SELECT completed_at::text FROM lost ORDER BY lost.completed_at DESC, lost.id DESC LIMIT 1) AS at,
         (SELECT id FROM lost ORDER BY lost.completed_at DESC, lost.id DESC LIMIT 1) AS id`,
)
