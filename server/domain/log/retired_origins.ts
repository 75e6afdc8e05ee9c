// The origins that the public log had before, for its history.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { logKeyOf } from './log_key.ts'

export interface RetiredOrigin {
  readonly origin: string
  /** The verifier key. */
  readonly key: string
  /** The note of the checkpoint from which the ledger could not go on. Null when there was none. */
  readonly checkpoint: string | null
  /** When, in ISO 8601. */
  readonly retired_at: string
  readonly reason: string
}

/** An operator retires each one by hand. */
const MOST_ROWS = 1_000

/** The oldest first. */
export const retiredOrigins = async ({ em }: { em: EntityManager }): Promise<RetiredOrigin[]> =>
  (await rows(em, RETIRED)).map((row) => ({
    origin: row.origin,
    key: writeVerifierKey(logKeyOf(row).verifier),
    checkpoint: row.last_checkpoint,
    retired_at: row.retired_at,
    reason: row.reason,
  }))

/** Index: log_keys_pkey. */
const RETIRED = statement(
  {
    number: int4,
    origin: text,
    public_key: bytes,
    last_checkpoint: nullable(text),
    retired_at: text,
    reason: text,
  },
  sql`
  SELECT number, origin, public_key, last_checkpoint, iso_time(retired_at) AS retired_at, reason
    FROM log_keys WHERE retired_at IS NOT NULL ORDER BY number LIMIT ${sql.lit(MOST_ROWS)}`,
)
