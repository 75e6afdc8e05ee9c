// One script of an account at a time, on all servers together: a row that its server holds for as long as a script
// may take.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { float8 } from '../../store/columns.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'

export interface ScriptTurn {
  /** The database’s time at which it was taken, in unix milliseconds. */
  readonly takenAtMs: number
  /** Ends the turn. Without it the turn ends by itself when its time is over. */
  readonly end: () => Promise<void>
}

/**
 * @param forMs when the turn ends by itself, as it must when this server is gone
 * @returns undefined while another script of the account has its turn
 */
export async function takeScriptTurn(
  { em }: { em: () => EntityManager },
  userId: string,
  forMs: number,
): Promise<ScriptTurn | undefined> {
  const turn = newUuid7()
  const [taken] = await rows(em(), TAKE({ userId, turn, forMs }))
  if (taken === undefined) return undefined
  return Object.freeze({
    takenAtMs: taken.now_ms,
    end: async () => {
      await change(em(), END({ userId, turn }))
    },
  })
}

/** Deletes turns whose server was gone when they ended, at most one an account. Call again while it returns `limit`. */
export const pruneScriptTurns = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

const TAKE = statement(
  { now_ms: float8 },
  ({ userId, turn, forMs }: { userId: string; turn: string; forMs: number }) => sql`
  INSERT INTO script_turns AS t (user_id, turn, ends_at)
  VALUES (${userId}, ${turn}, pharos_now() + ${forMs}::float8 * interval '1 millisecond')
  ON CONFLICT (user_id) DO UPDATE SET turn = excluded.turn, ends_at = excluded.ends_at
   WHERE t.ends_at <= pharos_now()
  RETURNING unix_ms(pharos_now()) AS now_ms`,
)

const END = command(
  ({ userId, turn }: { userId: string; turn: string }) =>
    sql`DELETE FROM script_turns WHERE user_id = ${userId} AND turn = ${turn}`,
)

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM script_turns WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM script_turns WHERE ends_at < pharos_now() - interval '1 hour'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
