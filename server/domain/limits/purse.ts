// What one server holds of one subject's budget: a lease, a debt that is not reported yet, and the database's last
// answer.
import { GRAIN, minuteOf, type Spending } from '../../kernel/token_bucket.ts'
import type { Terms } from './budgets.ts'
import type { Charge } from './charge.ts'
import type { BudgetAnswer, BudgetAsk, Now } from './lease_budgets.ts'

export class Purse {
  readonly terms: Terms
  readonly subject: string
  /** The clock minute of all amounts below, for a windowed budget. */
  minute: number
  /** Leased and not spent. The database counts it as spent. */
  balance = 0
  leasedAt = 0
  /** Leased, not spent, and about to be given back. */
  returning = 0
  /** Spent here without a lease. Not reported to the database yet. */
  debt = 0
  /** The ask that the database has not answered yet. */
  pending: BudgetAsk | undefined
  /** Everything that this server allowed. It alone never exceeds the budget, whatever the database answers. */
  here: Spending = { spent: 0, atMs: 0 }
  /** The database's newest answer. */
  known: (Spending & { readonly answeredAt: number }) | undefined
  readonly waiting: Waiter[] = []
  waitingCost = 0
  usedAt: number
  /** When it last moved behind the other purses of its budget. */
  movedAt: number
  /** True when the previous charge was recent, so that a lease in advance is useful. */
  lively = false

  constructor(terms: Terms, subject: string, now: Now) {
    this.terms = terms
    this.subject = subject
    this.minute = minuteOf(now.unixMs)
    this.usedAt = now.ms - IDLE_MS
    this.movedAt = now.ms
  }
}

interface Waiter {
  readonly cost: number
  /** On the monotonic clock. */
  readonly since: number
  readonly settle: (charge: Charge) => void
}

/**
 * A lease that was idle for this long, or that is older than OLD_MS, is given back, because another server may need
 * it.
 */
const IDLE_MS = 250
const OLD_MS = 2_000

/**
 * After this time the database is asked again about a subject without budget, because other servers may have given
 * leases back.
 */
const NO_HOLDS_MS = 500

/** With less left, the database grants nothing in advance. See `lease_budget`. */
const LEAST_FOR_SPARE = 8

/** @returns undefined when only the database can decide */
export function charge(purse: Purse, cost: number, now: Now, away: boolean): Charge | undefined {
  beginNewMinute(purse, now)
  purse.lively = now.ms - purse.usedAt < IDLE_MS
  purse.usedAt = now.ms
  const { credit, share } = purse.terms
  if (spentHere(purse, now) + purse.waitingCost + cost > purse.terms.limit + GRAIN)
    return refused(purse, cost, now)
  if (purse.balance >= cost) {
    purse.balance -= cost
    return allowed(purse, cost, now)
  }
  const { known } = purse
  const left = known === undefined ? Number.POSITIVE_INFINITY : leftOf(purse, known, now)
  const isRecent = known !== undefined && now.ms - known.answeredAt < NO_HOLDS_MS
  if (isRecent && left + purse.balance + givenBack(purse) + GRAIN < cost) return refused(purse, cost, now)
  if (away) return chargeLocally(purse, cost, now)
  const unreported = purse.debt + Math.max(0, purse.pending?.settled ?? 0) + cost
  if (unreported <= credit && left - unreported >= share) return chargeLocally(purse, cost, now)
  return undefined
}

/** Decides by this server's own count. The spending is reported later. */
export function chargeLocally(purse: Purse, cost: number, now: Now): Charge {
  if (spentHere(purse, now) + cost > purse.terms.limit + GRAIN) return refused(purse, cost, now)
  purse.debt += cost
  return allowed(purse, cost, now)
}

/**
 * True when the database should be asked before a charge needs it. While it is away, any debt is a reason to test it.
 */
export function wantsToAsk(purse: Purse, now: Now, away: boolean): boolean {
  if (purse.pending !== undefined) return false
  const { asksFrom, share } = purse.terms
  if (purse.debt >= (away ? 1 : asksFrom)) return true
  // Without an answer so far, the subject was never asked for. Its debt will cause the first ask.
  return (
    share > 0 &&
    purse.lively &&
    purse.balance <= share / 2 &&
    purse.known !== undefined &&
    leftOf(purse, purse.known, now) >= LEAST_FOR_SPARE
  )
}

/**
 * Moves the debt and the returned lease into an ask, which is pending until `confirmAsk` or `failAsk`.
 * @param parting true when the server stops, so that nothing is leased in advance
 */
export function beginAsk(purse: Purse, now: Now, parting: boolean): BudgetAsk {
  beginNewMinute(purse, now)
  const { terms } = purse
  // A bucket may have refilled since. That part of the debt is no longer owed.
  const debt = Math.min(purse.debt, spentHere(purse, now))
  const due = Math.max(0, purse.waitingCost - purse.balance)
  // An idle lease that is given back is not leased again by the same ask.
  const inUse = !parting && purse.lively && now.ms - purse.usedAt < IDLE_MS
  purse.pending = {
    budget: terms.budget,
    subject: purse.subject,
    perMinute: terms.limit,
    minute: terms.windowed ? purse.minute : null,
    settled: debt - purse.returning,
    due,
    spare: due > 0 || inUse ? Math.max(0, terms.share - Math.max(0, purse.balance - purse.waitingCost)) : 0,
  }
  purse.debt = 0
  purse.returning = 0
  return purse.pending
}

/**
 * The ask failed, but may have reached the database. So only the debt is reported again; a lease that
 * was to be given back expires there.
 */
export function failAsk(purse: Purse): void {
  const { pending } = purse
  purse.pending = undefined
  if (pending !== undefined && (pending.minute === null || pending.minute === purse.minute))
    purse.debt += Math.max(0, pending.settled)
}

/**
 * Takes the database's answer and settles waiting charges. Charges that it does not cover wait for the next answer.
 */
export function confirmAsk(purse: Purse, { spent, atMs, granted }: BudgetAnswer, now: Now): void {
  purse.pending = undefined
  beginNewMinute(purse, now)
  // The answer is for a minute that has ended. Waiting charges ask again.
  if (purse.terms.windowed && minuteOf(atMs) !== purse.minute) return
  purse.known = { spent, atMs: meteredAt(purse, now), answeredAt: now.ms }
  purse.balance += granted
  purse.leasedAt = now.ms
  // Charges decided here during the ask were granted by the database too. The lease pays that debt.
  const paid = Math.min(purse.balance, purse.debt)
  purse.balance -= paid
  purse.debt -= paid
  answerWaiting(purse, ({ cost }) => {
    if (purse.balance >= cost) {
      purse.balance -= cost
      return allowed(purse, cost, now)
    }
    const left = purse.known === undefined ? 0 : leftOf(purse, purse.known, now)
    return left + purse.balance + givenBack(purse) + GRAIN < cost ? refused(purse, cost, now) : undefined
  })
}

/** Settles every waiter for which `answer` returns a charge. The others stay in their order. */
export function answerWaiting(purse: Purse, answer: (waiter: Waiter) => Charge | undefined): void {
  for (const waiter of purse.waiting.splice(0)) {
    // Removed first, so that its own cost does not count against it.
    purse.waitingCost -= waiter.cost
    const charged = answer(waiter)
    if (charged === undefined) {
      purse.waiting.push(waiter)
      purse.waitingCost += waiter.cost
    } else waiter.settle(charged)
  }
}

/** Gives back a lease that is idle or old. */
export function retire(purse: Purse, now: Now): void {
  beginNewMinute(purse, now)
  if (purse.waiting.length > 0 || purse.pending !== undefined) return
  if (now.ms - purse.usedAt < IDLE_MS && now.ms - purse.leasedAt < OLD_MS) return
  giveBack(purse)
}

export function giveBack(purse: Purse): void {
  purse.returning += purse.balance
  purse.balance = 0
}

/** Counts what was used already, whatever is left: the rest may fall below zero, and refills from there. */
export function spend(purse: Purse, amount: number, now: Now): void {
  beginNewMinute(purse, now)
  purse.here = { spent: spentHere(purse, now) + amount, atMs: meteredAt(purse, now) }
  const leased = Math.min(purse.balance, amount)
  purse.balance -= leased
  purse.debt += amount - leased
}

/** At a new clock minute a windowed budget is full again, and all amounts of the old minute are void. */
function beginNewMinute(purse: Purse, { unixMs }: Now): void {
  if (!purse.terms.windowed) return
  const minute = minuteOf(unixMs)
  if (minute === purse.minute) return
  purse.minute = minute
  purse.balance = 0
  purse.returning = 0
  purse.debt = 0
  purse.known = undefined
  purse.here = { spent: 0, atMs: unixMs }
}

/** A window uses the database's clock. A bucket uses elapsed time, which setting a clock does not change. */
const meteredAt = ({ terms }: Purse, now: Now): number => (terms.windowed ? now.unixMs : now.ms)

const spentHere = (purse: Purse, now: Now): number =>
  purse.terms.metering.spentAt(purse.here, purse.terms.limit, meteredAt(purse, now))

/** Given back, but not counted in the database's last answer. */
const givenBack = ({ returning, pending }: Purse): number => returning + Math.max(0, -(pending?.settled ?? 0))

/** What the database would still grant if no other server has asked since its last answer. */
const leftOf = (purse: Purse, known: Spending, now: Now): number =>
  purse.terms.limit - purse.terms.metering.spentAt(known, purse.terms.limit, meteredAt(purse, now))

function allowed(purse: Purse, cost: number, now: Now): Charge {
  const { budget, limit } = purse.terms
  const spent = spentHere(purse, now) + cost
  purse.here = { spent, atMs: meteredAt(purse, now) }
  const shared =
    purse.known === undefined ? limit : leftOf(purse, purse.known, now) + purse.balance - purse.debt
  const remaining = Math.max(0, Math.floor(Math.min(limit - spent, shared) + GRAIN))
  return { budget, allowed: true, limit, remaining, retryAfterMs: 0 }
}

function refused(purse: Purse, cost: number, now: Now): Charge {
  const { budget, limit, metering } = purse.terms
  const spentInDatabase =
    purse.known === undefined ? 0 : limit - leftOf(purse, purse.known, now) - purse.balance - givenBack(purse)
  const spent = Math.max(spentHere(purse, now) + purse.waitingCost, spentInDatabase)
  const retryAfterMs = Math.max(1, metering.waitMs(spent, cost, limit, meteredAt(purse, now)))
  return { budget, allowed: false, limit, remaining: 0, retryAfterMs }
}
