// Records what readers of pull endpoints were answered for the first time. Readers side by side share a transaction, since
// each commit waits for the disk.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { gather } from '../../../kernel/flow/gather.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { int4, text } from '../../../store/columns.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { preparedStatement, type RowFrom, rows } from '../../../store/statement.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'
import { WITHHELD } from '../sending/deliver_one.ts'

/** A delivery that waited until now. */
interface FirstRead {
  readonly id: string
  /** Whether the owner may read it, and was answered it. */
  readonly may_read: boolean
}

/** @throws overloaded */
export type RecordRead = (deliveries: readonly FirstRead[]) => Promise<void>

/** Deliveries of one endpoint that were recorded together. */
type Recorded = RowFrom<typeof RECORD>

/** Deliveries of one transaction, and readers that wait for theirs. */
const MOST = { deliveries: 1_000, readers: 250 } as const

/** @param onRecorded told of every endpoint once its deliveries are recorded, for the log and the metrics */
export const recordingReads = (
  em: () => EntityManager,
  onRecorded: (recorded: Recorded) => void,
): RecordRead =>
  gather<readonly FirstRead[], void>(
    async (reads) => {
      const all = reads.flat()
      const recording = RECORD({ ids: all.map(({ id }) => id), may: all.map(({ may_read }) => may_read) })
      for (const recorded of await rows(em(), recording)) onRecorded(recorded)
      return reads.map(() => ({ value: undefined }))
    },
    {
      max: MOST.readers,
      lanes: 1,
      ceiling: MOST.readers,
      full: () => refuse('overloaded', { detail: 'too many readers are being recorded' }),
      weigh: ({ length }) => length,
      heaviest: MOST.deliveries,
      isWhole: isDatabaseUnavailable,
    },
  )

/**
 * Skips rows that another reader, a change or a deletion has locked: it records them itself, or makes it needless. Nobody
 * waits for anybody, so servers side by side cannot wait for each other for ever.
 */
const RECORD = preparedStatement(
  {
    endpoint_id: text,
    /** How many were answered. */
    success: int4,
    /** How many were withheld. */
    cancelled: int4,
  },
  ({ ids, may }: { ids: readonly string[]; may: readonly boolean[] }) => sql`
  WITH fresh AS (
    SELECT d.id, a.may FROM unnest(${ids}::text[], ${may}::bool[]) AS a (id, may) JOIN webhook_deliveries d ON d.id = a.id
     WHERE d.status = 'pending' FOR NO KEY UPDATE OF d SKIP LOCKED),
  told AS (
    UPDATE webhook_deliveries d
       SET status = CASE WHEN f.may THEN 'success' ELSE 'cancelled' END,
           error = CASE WHEN f.may THEN NULL ELSE ${WITHHELD.error} END,
           attempts = 1, first_attempt_at = pharos_now(), last_attempt_at = pharos_now(), completed_at = pharos_now(),
           updated_at = pharos_now()
      FROM fresh f WHERE d.id = f.id
    RETURNING d),
  news AS (${tellListeners('delivery.updated', 'told')}),
  reached AS (
    SELECT e.id FROM webhook_endpoints e
     WHERE e.id IN (SELECT (d).endpoint_id FROM told WHERE (d).status = 'success') FOR NO KEY UPDATE SKIP LOCKED),
  noted AS (
    UPDATE webhook_endpoints e SET last_success_at = pharos_now() FROM reached r WHERE e.id = r.id)
  SELECT (d).endpoint_id, count(*) FILTER (WHERE (d).status = 'success')::int AS success,
         count(*) FILTER (WHERE (d).status = 'cancelled')::int AS cancelled
    FROM told GROUP BY (d).endpoint_id`,
)
