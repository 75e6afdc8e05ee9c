// Cancels the pending deliveries of an endpoint that will not be called any more.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { int4 } from '../../../store/columns.ts'
import { row, type Sql, statement } from '../../../store/statement.ts'
import { tellListeners } from './delivery_listeners.ts'

export const CANCEL_PIECE = 2_000

/**
 * Cancels at most `CANCEL_PIECE` deliveries, oldest first, and returns how many. Call it again while it returns
 * `CANCEL_PIECE`. Index: webhook_deliveries_due.
 */
export const cancelPending = async (
  em: EntityManager,
  endpointId: string,
  why: string,
  onlyDue = false,
): Promise<number> => (await row(em, CANCEL_WAITING({ endpointId, why, onlyDue }))).cancelled

/** Cancels one sample that was not sent. */
export const cancelSample = async (em: EntityManager, id: string, why: string): Promise<number> =>
  (await row(em, CANCEL_SAMPLE({ id, why }))).cancelled

/** By an array, because a join with few rows expected may read the table once for each. */
const cancelling = (which: Sql, why: string): Sql => sql`
  WITH waiting AS (${which}),
  ended AS (
    UPDATE webhook_deliveries d
       SET status = 'cancelled', error = ${why}, next_attempt_at = NULL, completed_at = pharos_now(),
           updated_at = pharos_now()
     WHERE d.id = ANY (ARRAY(SELECT id FROM waiting)) AND d.status = 'pending'
    RETURNING d),
  news AS (${tellListeners('delivery.updated', 'ended')})
  SELECT count(*)::int AS cancelled FROM ended`

const CANCELLED = { cancelled: int4 }

/**
 * Skips rows that another transaction has locked. That transaction either ends the delivery itself, or the next call
 * finds it.
 */
const CANCEL_WAITING = statement(
  CANCELLED,
  ({ endpointId, why, onlyDue }: { endpointId: string; why: string; onlyDue: boolean }) =>
    cancelling(
      sql`
  SELECT id FROM webhook_deliveries
   WHERE endpoint_id = ${endpointId} AND status = 'pending'
     AND (NOT ${onlyDue}::boolean OR next_attempt_at <= pharos_now())
   ORDER BY next_attempt_at LIMIT ${sql.lit(CANCEL_PIECE)} FOR UPDATE SKIP LOCKED`,
      why,
    ),
)

const CANCEL_SAMPLE = statement(CANCELLED, ({ id, why }: { id: string; why: string }) =>
  cancelling(sql`SELECT id FROM webhook_deliveries WHERE id = ${id} FOR UPDATE`, why),
)
