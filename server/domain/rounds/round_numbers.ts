// Numbers of rounds: unique over all servers, and after a restored backup.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8 } from '../../store/columns.ts'
import { change, command, row, statement } from '../../store/statement.ts'

export const nextRoundNumber = async (em: EntityManager): Promise<number> => (await row(em, NEXT)).number

const NEXT = statement({ number: float8 }, sql`SELECT nextval('aggregation_round_numbers')::float8 AS number`)

/**
 * Lifts the sequence to at least the database's time in Unix milliseconds. No installation makes a round a millisecond,
 * so the numbers that a restored backup has forgotten stay below it. Should a server take numbers at the very moment at
 * which the sequence is lifted, the primary key refuses the second round with one.
 */
export const liftRoundNumbers = async (em: EntityManager): Promise<void> => void (await change(em, LIFT))

const LIFT = command(sql`
  SELECT setval('aggregation_round_numbers', unix_ms(pharos_now())::bigint)
    FROM aggregation_round_numbers WHERE last_value < unix_ms(pharos_now())`)
