// Asks the database for the purses of one server: one statement at a time, for all that have something to ask.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { type BudgetKey, type Clock, leaseBudgets } from './lease_budgets.ts'
import type { Now, Purse } from './purse.ts'

/** Subjects of one statement, some 10 ms of the database's time. Further subjects are counted by this server alone. */
const MOST_ASKS = 1_000

/**
 * Milliseconds. A charge waits for the database at most `answer` plus twice `look`. After that no charge waits until
 * the database answers again. `answer` is generous, because counting locally lets too many requests through. `gap` is
 * how long an ask waits for others when no charge waits for it, and `retry` the wait after a failure.
 */
const TIMES = { answer: 1_000, look: 100, gap: 5, retry: 500, farewell: 1_000 } as const

export class Leasing {
  readonly counts = { statements: 0, asks: 0 }
  readonly #em: () => EntityManager
  readonly #log: Log
  readonly #clock: Clock
  /** What the next statement asks for, by budget and subject. */
  readonly #queue = new Map<string, Purse>()
  /** What the statement under way asks for. */
  #underWay: { readonly since: number; readonly purses: readonly Purse[] } | undefined
  /** Purses that had a lease when it was last looked at. */
  readonly #leased = new Set<Purse>()
  /** What to add to the monotonic clock for the time of the database. It is behind by the delay of the newest answer. */
  #offsetMs: number
  #isAway = false
  #isClosed = false
  readonly #asking = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    retry: { firstMs: TIMES.retry, mostMs: TIMES.retry },
    keepsAlive: false,
    // `#goAway` has said it.
    onError: () => undefined,
    run: async () => {
      // Charges that arrive together share one statement.
      await yieldToEventLoop()
      if (!this.#isClosed) await this.#converse()
    },
  })
  readonly #looking = repeat({
    everyMs: TIMES.look,
    keepsAlive: false,
    onError: (err) => this.#log.error({ err }, 'limits.look_failed'),
    run: async () => {
      // After a stall of the process, timers are due before the answers that arrived meanwhile are read.
      await yieldToEventLoop()
      this.#look()
    },
  })

  constructor({ em, log, clock }: { em: () => EntityManager; log: Log; clock: Clock }) {
    this.#em = em
    this.#log = log
    this.#clock = clock
    this.#offsetMs = clock.unixMs() - clock.monotonicMs()
  }

  now(): Now {
    const ms = this.#clock.monotonicMs()
    return { ms, unixMs: ms + this.#offsetMs }
  }

  /** The database does not answer, or is not asked any more. Charges are then decided here. */
  get isAway(): boolean {
    return this.#isAway || this.#isClosed
  }

  /** The purse of this subject that waits to be asked for. A statement asks for a subject once. */
  queued(key: BudgetKey): Purse | undefined {
    return this.#queue.get(nameOf(key))
  }

  /** Asks for this purse soon, and before the event loop goes on when a charge waits for it. */
  ask(purse: Purse): void {
    // What the answer to the ask under way does not cover is asked for after it.
    if (purse.isAsked) return
    const name = nameOf(purse.key)
    const isFull = this.#queue.size >= MOST_ASKS && !this.#queue.has(name)
    if (isFull || this.isAway) purse.settleHere(this.now())
    if (isFull) return
    this.#queue.set(name, purse)
    this.#asking.poke(purse.isWaiting ? 0 : TIMES.gap)
  }

  /** Gives all leases back if the database answers in time. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#settleAll()
    const farewell = async (): Promise<void> => {
      await Promise.all([this.#looking.stop(), this.#asking.stop()])
      for (const purse of this.#leased) this.ask(purse)
      if (!this.#isAway) await this.#converse().catch(() => undefined)
    }
    await Promise.race([farewell(), delay(TIMES.farewell)])
  }

  async #converse(): Promise<void> {
    if (this.#queue.size === 0) return
    const asked = new Map(this.#queue)
    this.#queue.clear()
    const purses = [...asked.values()]
    const at = this.now()
    this.#underWay = { since: at.ms, purses }
    this.counts.statements += 1
    this.counts.asks += purses.length
    try {
      const asks = purses.map((purse) => purse.ask(at, this.#isClosed))
      const answers = await leaseBudgets(this.#em(), asks)
      this.#underWay = undefined
      this.#comeBack()
      this.#offsetMs = Math.max(...answers.map(({ atMs }) => atMs)) - this.#clock.monotonicMs()
      const answeredAt = this.now()
      for (const answer of answers) {
        const purse = asked.get(nameOf(answer))
        purse?.answered(answer, answeredAt)
        if (purse?.hasLease === true) this.#leased.add(purse)
      }
    } catch (error) {
      for (const purse of purses) purse.failed()
      this.#goAway(error)
      this.#underWay = undefined
      throw error
    } finally {
      // Charges that came meanwhile, and what was spent and is not told.
      for (const purse of purses) if (purse.isWaiting || purse.isOwing) this.ask(purse)
    }
  }

  #look(): void {
    const at = this.now()
    if (this.#underWay !== undefined && at.ms - this.#underWay.since > TIMES.answer) this.#goAway()
    for (const purse of this.#leased)
      if (!purse.hasLease) this.#leased.delete(purse)
      else if (purse.isLeaseOver(at)) this.ask(purse)
  }

  /** A fault in our statement is logged as an error. Charges are counted here in this case too. */
  #goAway(error?: unknown): void {
    if (!this.#isAway) {
      const isExpected = error === undefined || isDatabaseUnavailable(error)
      this.#log[isExpected ? 'warn' : 'error']({ err: error }, 'limits.counting_locally')
    }
    this.#isAway = true
    this.#settleAll()
  }

  #comeBack(): void {
    if (this.#isAway) this.#log.info({}, 'limits.shared_again')
    this.#isAway = false
  }

  #settleAll(): void {
    const at = this.now()
    for (const purse of this.#underWay?.purses ?? []) purse.settleHere(at)
    for (const purse of this.#queue.values()) purse.settleHere(at)
  }
}

const nameOf = ({ budget, subject }: BudgetKey): string => `${budget} ${subject}`

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
