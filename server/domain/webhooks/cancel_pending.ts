// Ends what still waits for an endpoint that will not be called any more.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command, type Sql } from '../../store/statement.ts'

export const CANCEL_PIECE = 2_000

/** One bounded piece, oldest first; call again while it is full. Index: webhook_deliveries_due. */
export const cancelPending = (
  { em }: { em: EntityManager },
  endpointId: string,
  why: string,
  onlyDue = false,
): Promise<number> => change(em, CANCEL_WAITING({ endpointId, why, onlyDue }))

/** The same of one sample that is not sent. */
export const cancelSample = ({ em }: { em: EntityManager }, id: string, why: string): Promise<number> =>
  change(em, CANCEL_SAMPLE({ id, why }))

const cancelling = (which: Sql, why: string): Sql => sql`
  WITH waiting AS (${which}),
  ended AS (
    UPDATE webhook_deliveries d
       SET status = 'cancelled', error = ${why}, next_attempt_at = NULL, completed_at = pharos_now(),
           updated_at = pharos_now()
      FROM waiting w WHERE d.id = w.id AND d.status = 'pending'
    RETURNING d)
  INSERT INTO facts (kind, subject_id, creator_id, data)
  SELECT 'delivery.updated', (d).id, (d).user_id, delivery_snapshot(d) FROM ended`

/** What is being recorded at this moment is passed over: it has its own end, or is found the next time. */
const CANCEL_WAITING = command(
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

const CANCEL_SAMPLE = command(({ id, why }: { id: string; why: string }) =>
  cancelling(sql`SELECT id FROM webhook_deliveries WHERE id = ${id} FOR UPDATE`, why),
)
