// Numbers of rounds: unique over all servers, and after a restored backup.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8 } from '../../store/columns.ts'
import { change, command, row, statement } from '../../store/statement.ts'

export const nextRoundNumber = async (em: EntityManager): Promise<number> => (await row(em, NEXT)).number

const NEXT = statement({ number: float8 }, sql`SELECT nextval('aggregation_round_numbers')::float8 AS number`)

/** What a round of tokens begins with: its number, and what the database's clock said. */
export interface RoundStart {
  readonly number: number
  /** Unix milliseconds by the database's clock, at a moment between the two below. */
  readonly databaseMs: number
  /** When the database was asked, and when it had answered, on the monotonic clock of this process. */
  readonly askedAt: number
  readonly answeredAt: number
}

/** Whoever does not use the number has lost nothing: there are 2^43 of them. */
export async function startRound(em: EntityManager): Promise<RoundStart> {
  const askedAt = performance.now()
  const { number, now_ms } = await row(em, START)
  return { number, databaseMs: now_ms, askedAt, answeredAt: performance.now() }
}

const START = statement(
  { number: float8, now_ms: float8 },
  sql`SELECT nextval('aggregation_round_numbers')::float8 AS number, unix_ms(pharos_now()) AS now_ms`,
)

/**
 * Lifts the sequence to at least the database's time in Unix milliseconds. No installation makes a round a millisecond,
 * so the numbers that a restored backup has forgotten stay below it. Should a server take numbers at the very moment at
 * which the sequence is lifted, the primary key refuses the second round with one.
 */
export const liftRoundNumbers = async (em: EntityManager): Promise<void> => void (await change(em, LIFT))

const LIFT = command(sql`
  SELECT setval('aggregation_round_numbers', unix_ms(pharos_now())::bigint)
    FROM aggregation_round_numbers WHERE last_value < unix_ms(pharos_now())`)
