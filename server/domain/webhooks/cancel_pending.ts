// Ends what still waits for an endpoint that will not be called any more.
import type { EntityManager } from '@mikro-orm/postgresql'
import { change } from '../../store/rows.ts'

export const CANCEL_PIECE = 2_000

/** One bounded piece, oldest first; call again while it is full. Index: webhook_deliveries_due. */
export const cancelPending = (
  { em }: { em: EntityManager },
  endpointId: string,
  why: string,
  onlyDue = false,
): Promise<number> => change(em, cancelling(WAITING), [endpointId, why, CANCEL_PIECE, onlyDue])

/** The same of one sample that is not sent. */
export const cancelSample = ({ em }: { em: EntityManager }, id: string, why: string): Promise<number> =>
  change(em, cancelling('SELECT id FROM webhook_deliveries WHERE id = $1 FOR UPDATE'), [id, why])

/** What is being recorded at this moment is passed over: it has its own end, or is found the next time. */
const WAITING = `
  SELECT id FROM webhook_deliveries
   WHERE endpoint_id = $1 AND status = 'pending' AND (NOT $4::boolean OR next_attempt_at <= pharos_now())
   ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED`

function cancelling(which: string): string {
  return `
  WITH waiting AS (${which}),
  ended AS (
    UPDATE webhook_deliveries d
       SET status = 'cancelled', error = $2, next_attempt_at = NULL, completed_at = pharos_now(),
           updated_at = pharos_now()
      FROM waiting w WHERE d.id = w.id AND d.status = 'pending'
    RETURNING d)
  INSERT INTO facts (kind, subject_id, creator_id, data)
  SELECT 'delivery.updated', (d).id, (d).user_id, delivery_snapshot(d) FROM ended`
}
