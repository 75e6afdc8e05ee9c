// Settles and leases budgets of many subjects in one statement, and estimates the database's time without a query.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { float8, oneOf, text } from '../../store/columns.ts'
import { type Columnwise, columnwise } from '../../store/columnwise.ts'
import { preparedStatement, type RowFrom, rows } from '../../store/statement.ts'
import { BUDGET_NAMES, type BudgetName } from './budgets.ts'

export const systemClock = Object.freeze({
  /** Never goes back. */
  monotonicMs: () => performance.now(),
  /** This machine's clock. Used until the database has answered once. */
  unixMs: () => Date.now(),
})

export type Clock = typeof systemClock

export type DatabaseClock = ReturnType<typeof databaseClock>

export type Now = ReturnType<DatabaseClock['now']>

/** A late answer makes the database's clock look slow, so the quickest answer within this time counts. */
const REMEMBERED_MS = 30_000
/** A larger difference does not come from a slow answer: the database's clock was set. */
const STEPPED_MS = 1_000

/**
 * Never ahead of the database's clock, so a window here does not begin before it begins there, and no retry time is
 * too early. Behind by the delay of the quickest answer, about a millisecond.
 */
export function databaseClock(clock: Clock) {
  let offset = clock.unixMs() - clock.monotonicMs()
  let observedAt: number | undefined
  return Object.freeze({
    now: () => {
      const ms = clock.monotonicMs()
      return {
        /** Never goes back. */
        ms,
        /** The estimated time of the database. */
        unixMs: ms + offset,
      }
    },
    /** Records that the database's time was `unixMs` a moment ago. */
    observe: (unixMs: number): void => {
      const monotonicMs = clock.monotonicMs()
      const sample = unixMs - monotonicMs
      const stale = observedAt === undefined || monotonicMs - observedAt > REMEMBERED_MS
      if (!stale && sample <= offset && offset - sample <= STEPPED_MS) return
      offset = sample
      observedAt = monotonicMs
    },
  })
}

export interface BudgetAsk {
  readonly budget: BudgetName
  readonly subject: string
  readonly perMinute: number
  /** The clock minute in which `settled` was spent, for a windowed budget. Null for a bucket. */
  readonly minute: number | null
  /** The amount spent without a lease. Below zero: leased and given back. */
  readonly settled: number
  /** For waiting requests. Granted before `spare`. */
  readonly due: number
  /** To hold in advance. The less is left of the budget, the smaller the granted part. */
  readonly spare: number
}

/**
 * Returns one answer per ask, in no particular order. Every row is judged under its own lock, so all servers together
 * are never granted more than the budget. Every statement locks rows in the order of the primary key, so statements
 * wait for each other and never deadlock. Each subject may occur only once.
 */
export async function leaseBudgets(
  em: EntityManager,
  asks: readonly BudgetAsk[],
): Promise<readonly BudgetAnswer[]> {
  const columns = columnwise(asks, 'budget', 'subject', 'perMinute', 'minute', 'settled', 'due', 'spare')
  return rows(em, LEASE(columns))
}

const LEASE = preparedStatement(
  { budget: oneOf(...BUDGET_NAMES), subject: text, spent: float8, atMs: float8, granted: float8 },
  (asks: Columnwise<BudgetAsk>) => sql`
  INSERT INTO rate_budgets AS b (budget, subject, spent, granted, at, ask)
  SELECT a.budget, a.subject, l.spent, l.granted, l.at, a.ask
    FROM (SELECT u.budget, u.subject, (u.per_minute, u.minute, u.settled, u.due, u.spare)::budget_ask AS ask
            FROM unnest(${asks.budget}::text[], ${asks.subject}::text[], ${asks.perMinute}::float8[],
                        ${asks.minute}::float8[], ${asks.settled}::float8[], ${asks.due}::float8[],
                        ${asks.spare}::float8[]) AS u (budget, subject, per_minute, minute, settled, due, spare)) AS a,
         LATERAL lease_budget(0, pharos_now(), a.ask) AS l
   ORDER BY a.budget COLLATE "C", a.subject COLLATE "C"
  ON CONFLICT (budget, subject) DO UPDATE SET (spent, at, granted) =
    (SELECT l.spent, l.at, l.granted FROM lease_budget(b.spent, b.at, excluded.ask) AS l)
  RETURNING budget, subject, spent, unix_ms(at) AS "atMs", granted`,
)

/** `spent` is as of `atMs` (unix milliseconds of the database) and includes what was granted. */
export type BudgetAnswer = RowFrom<typeof LEASE>
