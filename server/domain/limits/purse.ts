// What one server holds of one subject's budget: a lease that is paid for, a debt that is not told yet, and what it knows.
import { minuteOf } from '../../kernel/clock_minute.ts'
import { GRAIN, type Spending } from '../../kernel/token_bucket.ts'
import type { Charge } from './charge.ts'
import type { BudgetAnswer, BudgetAsk } from './lease_budgets.ts'
import type { Terms } from './terms.ts'

export interface Purse {
  readonly terms: Terms
  readonly subject: string
  /** The clock minute that everything below belongs to, of a windowed budget. */
  minute: number
  /** Leased and not spent. The database counts it as spent. */
  balance: number
  leasedAt: number
  /** Leased, not spent, and to be given back. */
  returning: number
  /** Spent here without a lease; the database does not know of it. */
  debt: number
  /** The ask that is under way. */
  pending: BudgetAsk | undefined
  /** Everything this server let through: it never exceeds the budget by itself, whatever the database says or not. */
  here: Spending
  /** The database's newest word. */
  known: (Spending & { readonly answeredAt: number }) | undefined
  readonly waiting: Waiter[]
  waitingCost: number
  usedAt: number
  /** Was charged shortly before the newest charge: worth a share in advance. */
  lively: boolean
}

export interface Waiter {
  readonly cost: number
  /** On the monotonic clock. */
  readonly since: number
  readonly settle: (charge: Charge) => void
}

/** `ms` never goes back; `unixMs` is the database's clock, as far as it is known. */
export interface Now {
  readonly ms: number
  readonly unixMs: number
}

/** A lease that nobody used for so long, or that is so old, is given back: it may be wanted at another server. */
export const IDLE_MS = 250
const OLD_MS = 2_000

/** A no is asked about again after this time: other servers may have given something back. */
const NO_HOLDS_MS = 500

/** Below this the database gives nothing in advance: see `lease_budget`. */
const LEAST_FOR_SPARE = 8

export const openPurse = (terms: Terms, subject: string, now: Now): Purse => ({
  terms,
  subject,
  minute: minuteOf(now.unixMs),
  balance: 0,
  leasedAt: 0,
  returning: 0,
  debt: 0,
  pending: undefined,
  here: { spent: 0, atMs: 0 },
  known: undefined,
  waiting: [],
  waitingCost: 0,
  usedAt: now.ms - IDLE_MS,
  lively: false,
})

/** @returns undefined when only the database can tell */
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
  if (known !== undefined && now.ms - known.answeredAt < NO_HOLDS_MS && left + purse.balance + GRAIN < cost)
    return refused(purse, cost, now)
  if (away) return chargeLocally(purse, cost, now)
  const unreported = purse.debt + Math.max(0, purse.pending?.settled ?? 0) + cost
  if (unreported <= credit && left - unreported >= share) return chargeLocally(purse, cost, now)
  return undefined
}

/** By this server's own count alone, told later. */
export function chargeLocally(purse: Purse, cost: number, now: Now): Charge {
  if (spentHere(purse, now) + cost > purse.terms.limit + GRAIN) return refused(purse, cost, now)
  purse.debt += cost
  return allowed(purse, cost, now)
}

/** Whether it is time to ask the database, ahead of need. While it is away, any debt is a reason to see if it is back. */
export function wantsToAsk(purse: Purse, now: Now, away: boolean): boolean {
  if (purse.pending !== undefined) return false
  const { asksFrom, share } = purse.terms
  if (purse.debt >= (away ? 1 : asksFrom)) return true
  // Without a word from the database nobody has asked for this subject yet: the debt will, when it is time.
  return (
    share > 0 &&
    purse.lively &&
    purse.balance <= share / 2 &&
    purse.known !== undefined &&
    leftOf(purse, purse.known, now) >= LEAST_FOR_SPARE
  )
}

/**
 * Moves what is owed and returned into an ask, which is under way until `confirmAsk` or `failAsk`.
 * @param parting nothing is leased ahead of need any more
 */
export function beginAsk(purse: Purse, now: Now, parting: boolean): BudgetAsk {
  beginNewMinute(purse, now)
  const { terms } = purse
  // What a bucket has refilled meanwhile is not owed any more.
  const debt = Math.min(purse.debt, spentHere(purse, now))
  const due = Math.max(0, purse.waitingCost - purse.balance)
  // What is given back because nobody uses it is not leased anew in the same breath.
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

/** The ask failed. It may have arrived all the same; what was to be given back is left to time. */
export function failAsk(purse: Purse): void {
  const { pending } = purse
  purse.pending = undefined
  if (pending !== undefined && (pending.minute === null || pending.minute === purse.minute))
    purse.debt += Math.max(0, pending.settled)
}

/** Takes the database's word and answers those who waited for it. Who is left waits for the next one. */
export function confirmAsk(purse: Purse, { spent, atMs, granted }: BudgetAnswer, now: Now): void {
  purse.pending = undefined
  beginNewMinute(purse, now)
  // A share of a minute that is over is of no use; who waits asks again.
  if (purse.terms.windowed && minuteOf(atMs) !== purse.minute) return
  purse.known = { spent, atMs: meteredAt(purse, now), answeredAt: now.ms }
  purse.balance += granted
  purse.leasedAt = now.ms
  // Requests that were decided here while their ask was under way: granted and owed at once.
  const paid = Math.min(purse.balance, purse.debt)
  purse.balance -= paid
  purse.debt -= paid
  answerWaiting(purse, ({ cost }) => {
    if (purse.balance >= cost) {
      purse.balance -= cost
      return allowed(purse, cost, now)
    }
    const left = purse.known === undefined ? 0 : leftOf(purse, purse.known, now)
    return left + purse.balance + GRAIN < cost ? refused(purse, cost, now) : undefined
  })
}

/** Settles every waiter that gets an answer; the others stay, in their order. */
export function answerWaiting(purse: Purse, answer: (waiter: Waiter) => Charge | undefined): void {
  for (const waiter of purse.waiting.splice(0)) {
    // Taken off first: it must not stand in its own way.
    purse.waitingCost -= waiter.cost
    const charged = answer(waiter)
    if (charged === undefined) {
      purse.waiting.push(waiter)
      purse.waitingCost += waiter.cost
    } else waiter.settle(charged)
  }
}

/** Takes a lease that lies idle, or is old, out of use. */
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

/** On a new minute of the clock a windowed budget is whole again, and nothing of the old one counts. */
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

/** A window goes by the database's clock. A bucket only by time that passes, which no clock's being set disturbs. */
const meteredAt = ({ terms }: Purse, now: Now): number => (terms.windowed ? now.unixMs : now.ms)

const spentHere = (purse: Purse, now: Now): number =>
  purse.terms.metering.spentAt(purse.here, purse.terms.limit, meteredAt(purse, now))

/** What the database would still give, when no other server has asked since its word. */
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
    purse.known === undefined ? 0 : limit - leftOf(purse, purse.known, now) - purse.balance
  const spent = Math.max(spentHere(purse, now) + purse.waitingCost, spentInDatabase)
  const retryAfterMs = Math.max(1, metering.waitMs(spent, cost, limit, meteredAt(purse, now)))
  return { budget, allowed: false, limit, remaining: 0, retryAfterMs }
}
