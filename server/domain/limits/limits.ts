// Charges requests to budgets that all servers share. The usual charge needs only a lookup in a map: a server spends
// what it has leased of the budget, and leases more ahead of need.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import { type Lru, lru } from '../../kernel/lru.ts'
import { change, command } from '../../store/statement.ts'
import type { Terms } from './budgets.ts'
import { allTerms, type BudgetName, type LimitChoices } from './budgets.ts'
import type { Charge } from './charge.ts'
import { type Clock, systemClock } from './lease_budgets.ts'
import { Leasing } from './leasing.ts'
import { type Now, Purse } from './purse.ts'

export type Limits = ReturnType<typeof createLimits>

interface LimitsOptions {
  readonly em: () => EntityManager
  readonly limits: LimitChoices
  readonly log: Log
  /** Called once for each refused charge. */
  readonly onRefused?: (budget: BudgetName) => void
  readonly clock?: Clock
}

/** A purse takes a few hundred bytes. A flood of subjects in one budget does not remove purses of another. */
export const MOST_PURSES = 20_000

export function createLimits({ em, limits, log, onRefused, clock = systemClock }: LimitsOptions) {
  const leasing = new Leasing({ em, log, clock })
  const budgets = new Map(
    [...allTerms(limits)].map(([budget, terms]): [BudgetName, OneBudget] => [
      budget,
      { terms, purses: lru(MOST_PURSES) },
    ]),
  )
  let waited = 0

  const purseOf = (budget: BudgetName, subject: string, amount: number, at: Now): Purse => {
    const one = budgets.get(budget)
    if (one === undefined || !Number.isSafeInteger(amount) || amount < 1)
      throw new RangeError(`${budget} cannot be charged ${amount}`)
    const found = one.purses.get(subject)
    if (found !== undefined) return found
    const purse = leasing.queued({ budget, subject }) ?? new Purse(one.terms, subject, at)
    one.purses.set(subject, purse)
    return purse
  }

  const noted = (charge: Charge): Charge => {
    if (!charge.allowed) onRefused?.(charge.budget)
    return charge
  }

  return Object.freeze({
    /**
     * Returns at once for the usual charge. A charge that only the database can decide waits for about a second at
     * most, and is then decided by this server's own count. Never fails because of the database.
     * @param subject depends on the budget's scope: a user's id, an address key, an account's id, `FLEET`
     * @param cost a whole number from 1. More than the budget counts as the whole budget.
     */
    charge: (budget: BudgetName, subject: string, cost = 1): Charge | Promise<Charge> => {
      const at = leasing.now()
      const purse = purseOf(budget, subject, cost, at)
      const whole = Math.min(cost, purse.terms.limit)
      const decided = purse.charge(whole, at, leasing.isAway)
      if (decided !== undefined) {
        if (purse.wantsAsk(at)) leasing.ask(purse)
        return noted(decided)
      }
      waited += 1
      const waiting = purse.wait(whole)
      leasing.ask(purse)
      return waiting.then(noted)
    },
    /**
     * Counts what was used without a charge for it, whatever is left: charges are refused until what is beyond the
     * budget has refilled. At most one more budget is owed.
     * @param amount a whole number from 1
     */
    spend: (budget: BudgetName, subject: string, amount: number): void => {
      const at = leasing.now()
      const purse = purseOf(budget, subject, amount, at)
      purse.spend(amount, at)
      leasing.ask(purse)
    },
    /**
     * `subjects` in memory; statements so far, and `asks` in them; charges that waited for the database; whether it is
     * `away`, so that every server counts for itself.
     */
    counts: () => ({
      ...leasing.counts,
      subjects: [...budgets.values()].reduce((sum, { purses }) => sum + purses.size(), 0),
      waited,
      away: leasing.isAway,
    }),
    /** Gives all leases back. Later charges are decided by this server's own count. */
    close: () => leasing.close(),
  })
}

interface OneBudget {
  readonly terms: Terms
  readonly purses: Lru<string, Purse>
}

/**
 * Deletes at most `limit` rows. Call it again while it returns that many. Rows are deleted after twice the longest
 * time that a budget takes to refill. Reads the whole table, which holds minutes of traffic. Skips rows that a server
 * is leasing from.
 */
export const pruneBudgets = (em: EntityManager, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM rate_budgets WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM rate_budgets WHERE at < pharos_now() - interval '2 minutes'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
