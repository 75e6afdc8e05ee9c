// Charges requests to budgets that all servers share. The usual charge needs only a lookup in a map. Refusals are
// counted, and subjects that were not charged for a while are deleted. One server keeps a limited number
// of purses of each budget: the least recently used make room for new ones.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { prunes } from '../../store/bounded_change.ts'
import { allTerms, type BudgetName, type LimitChoices, type Terms } from './budgets.ts'
import type { Charge } from './charge.ts'
import { type Clock, databaseClock, type Now, systemClock } from './lease_budgets.ts'
import { createLeasing } from './leasing.ts'
import { charge, Purse, retire, spend, wantsToAsk } from './purse.ts'

export type Limits = ReturnType<typeof createLimits>

interface LimitsOptions {
  readonly em: () => EntityManager
  readonly limits: LimitChoices
  readonly log: Log
  /** Called once for each refused charge. */
  readonly onRefused?: (budget: BudgetName) => void
  readonly clock?: Clock
}

/** How often idle leases are looked for, in milliseconds. */
const SWEEP_MS = 100

export function createLimits({ em, limits, log, onRefused, clock: machine = systemClock }: LimitsOptions) {
  const clock = databaseClock(machine)
  const leased = new Set<Purse>()
  let waited = 0
  const leasing = createLeasing({ em, log, clock, onLease: (purse) => leased.add(purse) })
  const forget = (purse: Purse): void => {
    leased.delete(purse)
    leasing.forget(purse)
  }
  const budgets = new Map(
    [...allTerms(limits)].map(([budget, terms]) => [budget, createPurses(terms, forget)] as const),
  )

  const purseOf = (budget: BudgetName, subject: string, amount: number, at: Now): Purse => {
    const purses = budgets.get(budget)
    if (purses === undefined || !Number.isSafeInteger(amount) || amount < 1)
      throw new RangeError(`${budget} cannot be charged ${amount}`)
    return purses.of(subject, at)
  }

  const noted = (budget: BudgetName, answer: Charge): Charge => {
    if (!answer.allowed) onRefused?.(budget)
    return answer
  }

  const sweep = (): void => {
    const at = clock.now()
    for (const purse of leased) {
      retire(purse, at)
      if (purse.balance === 0) leased.delete(purse)
      if (purse.returning > 0) leasing.ask(purse)
    }
    for (const purses of budgets.values()) purses.sweep(at)
  }
  const sweeping = repeat({
    everyMs: SWEEP_MS,
    keepsAlive: false,
    onError: (err) => log.error({ err }, 'limits.sweep_failed'),
    run: async () => sweep(),
  })

  return Object.freeze({
    /**
     * Returns at once for the usual charge. A charge that only the database can decide waits for about a second at
     * most, and is then decided by this server's own count. Never fails because of the database.
     * @param subject depends on the budget's scope: a user's id, an address key, an account's id, `FLEET`
     * @param cost a whole number from 1. More than the budget counts as the whole budget.
     */
    charge: (budget: BudgetName, subject: string, cost = 1): AtOnce<Charge> => {
      const at = clock.now()
      const purse = purseOf(budget, subject, cost, at)
      const whole = Math.min(cost, purse.terms.limit)
      const answer = charge(purse, whole, at, leasing.away())
      if (answer !== undefined) {
        if (wantsToAsk(purse, at, leasing.away())) leasing.ask(purse)
        return noted(budget, answer)
      }
      waited += 1
      return new Promise<Charge>((settle) => {
        purse.waiting.push({
          ...{ cost: whole, since: at.ms },
          settle: (answer) => settle(noted(budget, answer)),
        })
        purse.waitingCost += whole
        leasing.ask(purse)
      })
    },
    /**
     * Counts what was used without a charge for it, whatever is left: charges are refused until what is beyond the budget
     * has refilled.
     * @param amount a whole number from 1
     */
    spend: (budget: BudgetName, subject: string, amount: number): void => {
      const at = clock.now()
      const purse = purseOf(budget, subject, amount, at)
      spend(purse, amount, at)
      leasing.ask(purse)
    },
    counts: () => ({
      ...leasing.counts(),
      /** Number of subjects in memory. */
      subjects: [...budgets.values()].reduce((sum, purses) => sum + purses.size(), 0),
      /** Number of charges that waited for the database. */
      waited,
      /** True while the database does not answer, so that every server counts for itself. */
      away: leasing.away(),
    }),
    /** Gives all leases back. Later charges are decided by this server's own count. */
    close: async () => {
      await sweeping.stop()
      await leasing.close(leased)
    },
  })
}

/**
 * Rows are deleted after twice the longest time that a budget takes to refill. Reads the whole table, which holds
 * minutes of traffic.
 */
export const pruneBudgets = prunes('rate_budgets', sql`at < pharos_now() - interval '2 minutes'`)

/** A purse takes a few hundred bytes. A flood of subjects in one budget does not remove purses of another. */
const MOST_PURSES = 20_000

/** After this time a bucket has refilled and a window has ended, so closing the purse loses nothing. */
const UNUSED_MS = 90_000

/**
 * Milliseconds. A purse that is used all the time moves behind the others this often, because moving it costs more than
 * finding it. No process has as many requests in this time as it has purses.
 */
const MOVED_EVERY_MS = 2

/** Number of purses examined to make room. Purses with a pending ask or with waiting charges stay. */
const CANDIDATES = 16

function createPurses(terms: Terms, onClosed: (purse: Purse) => void) {
  /** Least recently used first. */
  const open = new Map<string, Purse>()

  const close = (purse: Purse): void => {
    open.delete(purse.subject)
    onClosed(purse)
  }

  /** Continues where it stopped. Starting again would pass over all entries deleted since. */
  let oldest = open.values()
  const makeRoom = (): void => {
    for (let looked = 0; looked < CANDIDATES; looked += 1) {
      const { value, done } = oldest.next()
      if (done === true) oldest = open.values()
      else if (!isBusy(value)) close(value)
      if (open.size < MOST_PURSES) return
    }
  }

  return Object.freeze({
    of: (subject: string, now: Now) => {
      const found = open.get(subject)
      if (found !== undefined) {
        if (now.ms - found.movedAt >= MOVED_EVERY_MS) {
          found.movedAt = now.ms
          open.delete(subject)
          open.set(subject, found)
        }
        return found
      }
      if (open.size >= MOST_PURSES) makeRoom()
      const purse = new Purse(terms, subject, now)
      open.set(subject, purse)
      return purse
    },
    /** Closes purses that were not used for a while. */
    sweep: (now: Now) => {
      for (const purse of open.values()) {
        if (now.ms - purse.usedAt < UNUSED_MS) return
        if (!isBusy(purse)) close(purse)
      }
    },
    size: () => open.size,
  })
}

const isBusy = (purse: Purse): boolean => purse.pending !== undefined || purse.waiting.length > 0
