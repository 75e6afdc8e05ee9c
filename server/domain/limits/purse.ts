// What one server holds of one subject's budget: what is in hand of its lease, and what all servers together have spent
// as far as this one knows.
import { GRAIN, minuteOf, type Spending } from '../../kernel/token_bucket.ts'
import type { Terms } from './budgets.ts'
import type { Charge } from './charge.ts'
import type { BudgetAnswer, BudgetAsk, BudgetKey } from './lease_budgets.ts'

/** `ms` never goes back. `unixMs` is the time of the database's clock, as its newest answer told it. */
export interface Now {
  readonly ms: number
  readonly unixMs: number
}

interface Waiter {
  readonly cost: number
  readonly settle: (charge: Charge) => void
}

/**
 * Milliseconds. A lease that was not used for so long is given back, because another server may need it. So an answer
 * of the database that is older may say too little: others have given back since.
 */
const LEASE_MS = 500

export class Purse {
  readonly terms: Terms
  readonly #subject: string
  /** Leased and not spent. Below zero: spent here, and the database does not know it yet. */
  #balance = 0
  /**
   * What all servers have spent or hold: the database's newest answer, and what was spent here since beyond the lease.
   * A window has the time of the database's clock, a bucket that of this machine, which setting a clock does not change.
   */
  #spent: Spending
  /** What the ask under way tells the database: spent (above zero), or given back. Undefined when none is under way. */
  #told: number | undefined
  /** When the database answered last about this budget. */
  #answeredAt = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  /** Two charges came within the time of a lease, so that a lease is of use. */
  #isBusy = false
  #waiting: Waiter[] = []
  /** The cost of the charges that wait. */
  #due = 0

  constructor(terms: Terms, subject: string, now: Now) {
    this.terms = terms
    this.#subject = subject
    this.#spent = { spent: 0, atMs: terms.windowed ? now.unixMs : now.ms }
  }

  get key(): BudgetKey {
    return { budget: this.terms.budget, subject: this.#subject }
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  get isAsked(): boolean {
    return this.#told !== undefined
  }

  get hasLease(): boolean {
    return this.#balance > 0
  }

  /** So much was spent here that the database should be told. */
  get isOwing(): boolean {
    return -this.#balance >= this.terms.asksFrom
  }

  /** @returns undefined when only the database can decide */
  charge(cost: number, now: Now, away: boolean): Charge | undefined {
    this.#beginMinute(now)
    this.#isBusy = now.ms - this.#usedAt < LEASE_MS
    this.#usedAt = now.ms
    const left = this.#left(now) - this.#due
    if (left + GRAIN < cost) return this.#refused(cost, now)
    if (this.#balance < cost && !away && !this.#mayOwe(cost, left)) return undefined
    return this.#allowed(cost, now)
  }

  /** Within the credit, and while a share is left: near its end a budget is counted exactly. */
  #mayOwe(cost: number, left: number): boolean {
    const { credit, share } = this.terms
    return cost - this.#balance + Math.max(0, this.#told ?? 0) <= credit && left - cost >= share
  }

  /** Resolves with the answer of the database, or of `settleHere`. */
  wait(cost: number): Promise<Charge> {
    this.#due += cost
    return new Promise((settle) => {
      this.#waiting.push({ cost, settle })
    })
  }

  /** Counts what was used already, whatever is left. */
  spend(amount: number, now: Now): void {
    this.#beginMinute(now)
    this.#take(amount, now)
  }

  /** After a charge: the database should be asked before another one has to wait for it. */
  wantsAsk(now: Now): boolean {
    if (this.isOwing) return true
    if (this.#answeredAt === Number.NEGATIVE_INFINITY) return false
    const { share } = this.terms
    return this.#left(now) < share
      ? now.ms - this.#answeredAt >= LEASE_MS
      : this.#isBusy && this.#balance < share / 2
  }

  isLeaseOver(now: Now): boolean {
    return now.ms - this.#usedAt >= LEASE_MS
  }

  /** The ask is under way until `answered` or `failed`. @param parting nothing is kept and nothing leased */
  ask(now: Now, parting: boolean): BudgetAsk {
    this.#beginMinute(now)
    const { limit, share, windowed } = this.terms
    const isOver = parting || this.isLeaseOver(now)
    const spent = this.#spentNow(now)
    const owed = Math.max(0, -this.#balance)
    const unused = isOver ? Math.max(0, this.#balance) : 0
    // A bucket may have forgotten a part of what was spent while the database was away.
    this.#told = Math.min(owed, spent) - unused
    this.#balance += owed - unused
    this.#setSpent(spent - unused, now)
    return {
      ...this.key,
      perMinute: limit,
      minute: windowed ? minuteOf(this.#spent.atMs) : null,
      settled: this.#told,
      due: Math.max(0, this.#due - this.#balance),
      spare: this.#isBusy && !isOver ? Math.max(0, share - this.#balance) : 0,
    }
  }

  /** The ask may have reached the database. So what was spent is told again, and what was given back is gone. */
  failed(): void {
    this.#balance -= Math.max(0, this.#told ?? 0)
    this.#told = undefined
  }

  /** Settles the charges that wait, but for those that neither the lease nor the rest decides. */
  answered({ spent, atMs, granted }: BudgetAnswer, now: Now): void {
    this.#told = undefined
    this.#beginMinute(now)
    // The answer is for a minute that has ended. Charges that wait ask again.
    if (this.terms.windowed && minuteOf(atMs) !== minuteOf(this.#spent.atMs)) return
    this.#answeredAt = now.ms
    this.#balance += granted
    this.#setSpent(spent + Math.max(0, -this.#balance), now)
    this.#settle(now, (cost) => this.#balance >= cost)
  }

  /** Settles all charges that wait by what this server knows. */
  settleHere(now: Now): void {
    this.#beginMinute(now)
    this.#settle(now, () => true)
  }

  #settle(now: Now, isCovered: (cost: number) => boolean): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#due = 0
    for (const waiter of waiting) {
      const { cost, settle } = waiter
      if (this.#left(now) + GRAIN < cost) settle(this.#refused(cost, now))
      else if (isCovered(cost)) settle(this.#allowed(cost, now))
      else {
        this.#waiting.push(waiter)
        this.#due += cost
      }
    }
  }

  #allowed(cost: number, now: Now): Charge {
    this.#take(cost, now)
    const { budget, limit } = this.terms
    const remaining = Math.max(0, Math.floor(this.#left(now) + GRAIN))
    return { budget, allowed: true, limit, remaining, retryAfterMs: 0 }
  }

  #refused(cost: number, now: Now): Charge {
    const { budget, limit, metering } = this.terms
    const spent = limit - this.#left(now) + this.#due
    const retryAfterMs = Math.max(1, metering.waitMs(spent, cost, limit, this.#timeOf(now)))
    return { budget, allowed: false, limit, remaining: 0, retryAfterMs }
  }

  #take(amount: number, now: Now): void {
    const owed = Math.max(0, -this.#balance)
    const spent = this.#spentNow(now)
    this.#balance -= amount
    this.#setSpent(spent + Math.max(0, -this.#balance) - owed, now)
  }

  /** What may still be spent here, as far as this server knows. */
  #left(now: Now): number {
    return this.terms.limit - this.#spentNow(now) + Math.max(0, this.#balance)
  }

  /** Not less than what is in hand, so that a bucket that refills meanwhile gives this server one budget and not more. */
  #spentNow(now: Now): number {
    const { metering, limit } = this.terms
    return Math.max(this.#balance, metering.spentAt(this.#spent, limit, this.#timeOf(now)))
  }

  #setSpent(spent: number, now: Now): void {
    this.#spent = { spent, atMs: this.#timeOf(now) }
  }

  #timeOf({ ms, unixMs }: Now): number {
    return this.terms.windowed ? Math.max(unixMs, this.#spent.atMs) : ms
  }

  /**
   * With each minute of the clock the whole budget of a window is there again, and what was of the minute before is void.
   * A late answer of the database may put the clock back a little: then the minute that has begun goes on.
   */
  #beginMinute(now: Now): void {
    if (!this.terms.windowed) return
    const minutes = minuteOf(now.unixMs) - minuteOf(this.#spent.atMs)
    if (minutes === 0 || minutes === -1) return
    this.#spent = { spent: 0, atMs: now.unixMs }
    this.#balance = 0
    this.#answeredAt = Number.NEGATIVE_INFINITY
    if (this.#told !== undefined) this.#told = 0
  }
}
