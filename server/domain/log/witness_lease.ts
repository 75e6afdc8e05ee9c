// Who asks the witnesses: one server at a time, and the same size not at once again.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

/** Milliseconds. Longer than a round. After a crash of the holder, another server takes over. */
const LEASE_MS = 30_000

export interface WitnessTurn {
  readonly log: number
  readonly size: number
  readonly holder: string
}

/**
 * True when this server may offer this size now. A larger size than the last needs no pause. A time that is impossibly
 * late was written before the clock was set back.
 */
export const takeTurn = async (
  { em }: { em: EntityManager },
  { log, size, holder }: WitnessTurn,
): Promise<boolean> => (await change(em, TAKE({ log, size, holder }))) > 0

/** @param pauseMs until the same size may be offered again */
export const endTurn = (
  { em }: { em: EntityManager },
  { log, holder }: WitnessTurn,
  pauseMs: number,
): Promise<number> => change(em, END({ log, holder, pauseMs }))

const LEASE = sql.lit(LEASE_MS / 1_000)

const TAKE = command(
  ({ log, size, holder }: WitnessTurn) => sql`
  INSERT INTO witness_rounds AS r (log, holder, size, until)
  VALUES (${log}::int, ${holder}::text, ${size}::int, pharos_now() + ${LEASE} * interval '1 second')
  ON CONFLICT (log) DO UPDATE SET holder = EXCLUDED.holder, size = EXCLUDED.size, until = EXCLUDED.until
   WHERE r.until <= pharos_now() OR r.until > pharos_now() + 2 * ${LEASE} * interval '1 second'
      OR (r.holder IS NULL AND r.size < EXCLUDED.size)`,
)

const END = command(
  ({ log, holder, pauseMs }: { log: number; holder: string; pauseMs: number }) => sql`
  UPDATE witness_rounds SET holder = NULL, until = pharos_now() + ${pauseMs}::float8 * interval '1 millisecond'
   WHERE log = ${log} AND holder = ${holder}`,
)
