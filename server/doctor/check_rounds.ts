// Checks of what is stamped without an account: how long it waits for the chains, and what it takes.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { plural } from '../../shared/cli/terminal.ts'
import { ulidFloor } from '../../shared/proof/ids.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import { int4 } from '../store/columns.ts'
import { row, statement } from '../store/statement.ts'
import { type DoctorFinding, ok, roughly, warning } from './examine.ts'

/** As the alert has it. */
const LONG_SECONDS = 21_600

/** @param ages seconds of the oldest round that each chain has not confirmed, as a server tells them */
export const roundAges = (ages: Readonly<Record<string, number>> = {}): DoctorFinding[] =>
  Object.entries(ages).map(([chain, seconds]) => {
    if (seconds === 0) return ok(`No round waits for ${chain}.`)
    const text = `The oldest round that ${chain} has not confirmed is ${roughly(seconds * 1_000)} old.`
    return seconds > LONG_SECONDS
      ? warning(
          text,
          'What was stamped in it cannot be upgraded until then: look at the chain, and at the fee of its wallet.',
        )
      : ok(text)
  })

const DAY_MS = 86_400_000

/** Of the database, for one round with its item. */
const ROUND_BYTES = 2_200

export async function roundsOfDay(em: EntityManager): Promise<DoctorFinding> {
  const { nowMs } = await readStanding(em)
  const { count } = await row(em, ROUNDS_SINCE({ floor: ulidFloor(nowMs - DAY_MS) }))
  if (count === 0) return ok('Nothing was stamped without an account in the last day.')
  return ok(
      `The last day has ${plural(count, 'round')} of what was stamped without an account, ${sizeOf(count)}. One address ` +
        `that never rests makes one a second, ${sizeOf(DAY_MS / 1_000)} a day, in each process that it reaches.`,
    )
}

const sizeOf = (rounds: number): string => `about ${Math.max(1, Math.round((rounds * ROUND_BYTES) / 1e6))} MB`

/** Index: aggregation_rounds_item_id_key. */
const ROUNDS_SINCE = statement(
  { count: int4 },
  ({ floor }: { floor: string }) => sql`
  SELECT count(*)::int AS count FROM aggregation_rounds WHERE item_id > ${floor}`,
)
