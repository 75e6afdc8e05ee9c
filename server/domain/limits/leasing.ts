// Sends one server's asks to the database: one statement at a time, for all purses that have something to ask.
// It is not a `repeat`, because an urgent ask is sent at once, and a quiet one waits until others have gathered.
import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { type DatabaseClock, leaseBudgets } from './lease_budgets.ts'
import { answerWaiting, beginAsk, chargeLocally, confirmAsk, failAsk, giveBack, type Purse } from './purse.ts'

interface LeasingOptions {
  readonly em: () => EntityManager
  readonly log: Log
  readonly clock: DatabaseClock
  /** Called when a purse got a lease. */
  readonly onLease: (purse: Purse) => void
}

/**
 * Milliseconds. A charge waits for the database at most `answer` plus twice `look`. After that no charge waits until
 * the database answers again. `answer` is generous, because counting locally lets too many requests through. `retry`
 * is the wait after a failure.
 */
const TIMES = { answer: 1_000, look: 50, gap: 5, retry: 500, farewell: 1_000 } as const

/** Subjects per statement. This many take some 10 ms of the database's time. */
const MOST_ASKS = 1_000
/** Subjects that may wait to be asked for. Further subjects are counted by this server alone. */
const MOST_QUEUED = 5_000

interface UnderWay {
  readonly since: number
  readonly purses: readonly Purse[]
  readonly done: Promise<void>
}

export function createLeasing({ em, log, clock, onLease }: LeasingOptions) {
  /** Charges wait for the purses in `urgent`. No charge waits for those in `quiet`. A purse is never in both. */
  const urgent = new Set<Purse>()
  const quiet = new Set<Purse>()
  const counts = { statements: 0, asks: 0 }
  let underWay: UnderWay | undefined
  let away = false
  let closed = false
  let sentAt = Number.NEGATIVE_INFINITY
  let notBefore = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let sendScheduled = false

  const forget = (purse: Purse): void => {
    urgent.delete(purse)
    quiet.delete(purse)
  }

  const ask = (purse: Purse): void => {
    // An ask is pending already. What its answer does not cover is asked for after it.
    if (purse.pending !== undefined || urgent.has(purse)) return
    const waits = purse.waiting.length > 0
    const full = urgent.size + quiet.size >= MOST_QUEUED && !quiet.has(purse)
    if (full || (waits && (closed || away))) {
      settleHere(purse)
      return
    }
    quiet.delete(purse)
    const queue = waits ? urgent : quiet
    queue.add(purse)
    schedule()
  }

  const schedule = (): void => {
    if (underWay !== undefined || sendScheduled || closed || urgent.size + quiet.size === 0) return
    const at = urgent.size > 0 ? notBefore : Math.max(notBefore, sentAt + TIMES.gap)
    const leftMs = at - clock.now().ms
    if (leftMs > 0) {
      timer ??= setTimeout(() => {
        timer = undefined
        schedule()
      }, leftMs).unref()
      return
    }
    // Charges that arrive together share one statement.
    sendScheduled = true
    setImmediate(() => {
      sendScheduled = false
      if (!closed) send([...take(urgent, MOST_ASKS)])
    })
  }

  const send = (first: readonly Purse[]): void => {
    const batch = [...first, ...take(quiet, MOST_ASKS - first.length)]
    if (batch.length === 0) return
    sentAt = clock.now().ms
    const done = converse(batch).then(() => {
      underWay = undefined
      schedule()
    })
    underWay = { since: sentAt, purses: batch, done }
  }

  /** Never rejects, because charges must be answered even when the database does not answer. */
  const converse = async (batch: readonly Purse[]): Promise<void> => {
    const asked = clock.now()
    const asks = new Map(batch.map((purse) => [keyOf(purse.terms.budget, purse.subject), purse]))
    counts.statements += 1
    counts.asks += batch.length
    try {
      const answers = await leaseBudgets(
        em(),
        batch.map((purse) => beginAsk(purse, asked, closed)),
      )
      for (const { atMs } of answers) clock.observe(atMs)
      resume()
      const answeredAt = clock.now()
      for (const answer of answers) {
        const purse = asks.get(keyOf(answer.budget, answer.subject))
        if (purse === undefined) continue
        confirmAsk(purse, answer, answeredAt)
        if (purse.balance > 0) onLease(purse)
      }
    } catch (err) {
      for (const purse of batch) failAsk(purse)
      notBefore = clock.now().ms + TIMES.retry
      goAway(err, batch)
    }
    // Covers charges and leases given back that arrived during the statement, and spending that was not reported.
    for (const purse of batch)
      if (purse.waiting.length > 0 || purse.debt >= purse.terms.asksFrom || purse.returning > 0) ask(purse)
  }

  const settleHere = (purse: Purse): void => {
    const at = clock.now()
    answerWaiting(purse, ({ cost }) => chargeLocally(purse, cost, at))
    if (urgent.delete(purse)) quiet.add(purse)
  }

  /** A fault in our statement is logged as an error. Charges are counted locally in this case too. */
  const goAway = (err: unknown, asked: readonly Purse[]): void => {
    if (!away) {
      const expected = err === undefined || isDatabaseUnavailable(err)
      log[expected ? 'warn' : 'error']({ err }, 'limits.counting_locally')
    }
    away = true
    for (const purse of [...urgent, ...asked]) settleHere(purse)
  }

  const resume = (): void => {
    if (away) log.info({}, 'limits.shared_again')
    away = false
  }

  const lookForLate = (): void => {
    const { ms } = clock.now()
    if (underWay !== undefined && ms - underWay.since > TIMES.answer) goAway(undefined, underWay.purses)
    for (const purse of urgent) if (ms - (purse.waiting[0]?.since ?? ms) > TIMES.answer) settleHere(purse)
  }

  const looking = repeat({
    everyMs: TIMES.look,
    keepsAlive: false,
    onError: (err) => log.error({ err }, 'limits.look_failed'),
    run: async () => {
      // After a stall of the process, timers are due before the answers that arrived meanwhile are read.
      await yieldToEventLoop()
      lookForLate()
    },
  })

  return Object.freeze({
    /** Asks for this purse soon. Before the event loop continues when a charge waits for it. */
    ask,
    /** True while the database does not answer. Charges are then decided here. */
    away: () => away || closed,
    /** Statements so far, and rows in them. */
    counts: () => counts,
    /** Removes a purse that is closed. */
    forget,
    /** Settles all waiting charges. Gives these leases back if the database answers in time. */
    close: async (leased: Iterable<Purse>) => {
      closed = true
      await looking.stop()
      clearTimeout(timer)
      const late = underWay
      for (const purse of [...urgent, ...(late?.purses ?? [])]) settleHere(purse)
      const farewell = async (): Promise<void> => {
        await late?.done
        const last = [...new Set([...leased, ...quiet])].slice(0, MOST_ASKS)
        for (const purse of last) giveBack(purse)
        if (last.length > 0 && !away) await converse(last)
      }
      await Promise.race([farewell(), wait(TIMES.farewell, undefined, { ref: false })])
    },
  })
}

const keyOf = (budget: string, subject: string): string => `${budget} ${subject}`

/** Removes and yields at most `count` elements. */
function* take<T>(from: Set<T>, count: number): Generator<T> {
  let taken = 0
  for (const one of from) {
    if (taken === count) return
    taken += 1
    from.delete(one)
    yield one
  }
}
