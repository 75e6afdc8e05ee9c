// What a budget means for one server: its limit, and how much of it may be leased or spent before the database is asked.
import type { Metering } from '../../kernel/token_bucket.ts'
import {
  ALGORITHMS,
  BUDGETS,
  type Budget,
  type BudgetName,
  isBudgetName,
  type LimitChoices,
} from './budgets.ts'

export interface Terms {
  readonly budget: BudgetName
  readonly limit: number
  readonly metering: Metering
  /** Whole again on the minute of the clock; what is leased or owed does not outlive it. */
  readonly windowed: boolean
  /** Leased ahead of need. 0: every charge asks. */
  readonly share: number
  /** May be spent untold, by each server, so that a subject that nothing is known of need not wait. */
  readonly credit: number
  /** Untold spending from which on the database is asked, without anyone waiting for it. */
  readonly asksFrom: number
}

const SHARE = 0.04
/** Each server may overshoot by this much; with four of them the sum stays within a few percent. */
const CREDIT = 0.01

/**
 * Subjects that anyone can make up (addresses) are made known to the database by their second request at the
 * earliest: a flood of them costs it nothing. Budgets so small that one request is more than a percent are counted
 * exactly: no credit, no shares.
 */
export function termsOf(budget: BudgetName, limits: LimitChoices): Terms {
  const row: Budget = BUDGETS[budget]
  const limit = limitOf(budget, limits)
  const credit = Math.floor(limit * CREDIT)
  return Object.freeze({
    budget,
    limit,
    metering: ALGORITHMS[row.algorithm],
    windowed: row.algorithm === 'clock_minute',
    share: credit === 0 ? 0 : Math.ceil(limit * SHARE),
    credit,
    asksFrom: row.scope === 'address' ? Math.max(2, Math.ceil(credit / 2)) : 1,
  })
}

export const allTerms = (limits: LimitChoices): ReadonlyMap<BudgetName, Terms> =>
  new Map(
    Object.keys(BUDGETS)
      .filter(isBudgetName)
      .map((name) => [name, termsOf(name, limits)]),
  )

function limitOf(budget: BudgetName, limits: LimitChoices): number {
  const row = BUDGETS[budget]
  const limit = ('setting' in row ? limits[row.setting] : undefined) ?? row.perMinute
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`${budget}: ${limit} is no limit`)
  return limit
}
