// What a budget means for one server: its limit, and how much may be leased or spent before the database is asked.
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
  /** Full again at each clock minute. Leases and debts end with the minute. */
  readonly windowed: boolean
  /** Leased in advance. 0: every charge asks the database. */
  readonly share: number
  /** Each server may spend this much without a report, so that charges of a new subject need not wait. */
  readonly credit: number
  /** Unreported spending at which the database is asked, without a wait for any charge. */
  readonly asksFrom: number
}

const SHARE = 0.04
/** Each server may overshoot by this part. With four servers the sum stays within a few percent. */
const CREDIT = 0.01

/**
 * Anyone can invent subjects such as addresses. The database receives such a subject with its second request at the
 * earliest, so a flood of them costs it nothing. Budgets in which one request is more than a percent are counted
 * exactly: no credit, no shares.
 */
function termsOf(budget: BudgetName, limits: LimitChoices): Terms {
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
