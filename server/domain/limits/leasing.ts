// One server's talk with the database about its purses: one statement at a time, for everything that wants to be asked.
import { setImmediate as breathe } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { repeat } from '../../kernel/repeat.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import type { Clock, DatabaseClock } from './database_clock.ts'
import { leaseBudgets } from './lease_budgets.ts'
import {
  answerWaiting,
  beginAsk,
  chargeLocally,
  confirmAsk,
  failAsk,
  giveBack,
  type Now,
  type Purse,
} from './purse.ts'

export interface Leasing {
  /** Asks for this purse soon; before the event loop goes on when a charge waits for it. */
  readonly ask: (purse: Purse) => void
  /** The database does not answer: decide here. */
  readonly away: () => boolean
  readonly counts: () => { readonly statements: number; readonly asks: number }
  /** Drops a purse that is closed. */
  readonly forget: (purse: Purse) => void
  /** Settles who waits, and gives back these leases when the database answers in time. */
  readonly close: (leased: Iterable<Purse>) => Promise<void>
}

export interface LeasingOptions {
  readonly em: () => EntityManager
  readonly log: Log
  readonly clock: Clock
  readonly time: DatabaseClock
  /** A purse got a lease. */
  readonly onLease: (purse: Purse) => void
}

/**
 * Milliseconds. Nobody waits for the database longer than `answer` and twice `look`, and then nobody until it answers
 * again: so it may be generous, because a slow answer taken for none is what lets too many through. `retry` follows
 * a failure.
 */
const TIMES = { answer: 1_000, look: 50, gap: 5, retry: 500, farewell: 1_000 } as const

/** Subjects per statement: some 10 ms of the database's work. */
const MOST_ASKS = 1_000
/** Subjects that wait to be asked for; any more are counted here alone. */
const MOST_QUEUED = 5_000

interface UnderWay {
  readonly since: number
  readonly purses: readonly Purse[]
  readonly done: Promise<void>
}

export function createLeasing({ em, log, clock, time, onLease }: LeasingOptions): Leasing {
  /** Somebody waits for these; the others can wait themselves. No purse is in both. */
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

  const now = (): Now => {
    const ms = clock.monotonicMs()
    return { ms, unixMs: time.unixMs(ms) }
  }

  const forget = (purse: Purse): void => {
    urgent.delete(purse)
    quiet.delete(purse)
  }

  const ask = (purse: Purse): void => {
    // It is being asked for already; what the answer does not reach is asked for again.
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
    const wait = at - clock.monotonicMs()
    if (wait > 0) {
      timer ??= setTimeout(() => {
        timer = undefined
        schedule()
      }, wait).unref()
      return
    }
    // A burst that arrives together asks once.
    sendScheduled = true
    setImmediate(() => {
      sendScheduled = false
      if (!closed) send([...take(urgent, MOST_ASKS)])
    })
  }

  const send = (first: readonly Purse[]): void => {
    const batch = [...first, ...take(quiet, MOST_ASKS - first.length)]
    if (batch.length === 0) return
    sentAt = clock.monotonicMs()
    const done = converse(batch).then(() => {
      underWay = undefined
      schedule()
    })
    underWay = { since: sentAt, purses: batch, done }
  }

  /** Never rejects: a database that does not answer is no reason to answer nobody. */
  const converse = async (batch: readonly Purse[]): Promise<void> => {
    const asked = now()
    const asks = new Map(batch.map((purse) => [keyOf(purse.terms.budget, purse.subject), purse]))
    counts.statements += 1
    counts.asks += batch.length
    try {
      const answers = await leaseBudgets(
        { em: em() },
        batch.map((purse) => beginAsk(purse, asked, closed)),
      )
      for (const { atMs } of answers) time.observe(atMs, clock.monotonicMs())
      comeBack()
      const answeredAt = now()
      for (const answer of answers) {
        const purse = asks.get(keyOf(answer.budget, answer.subject))
        if (purse === undefined) continue
        confirmAsk(purse, answer, answeredAt)
        if (purse.balance > 0) onLease(purse)
      }
    } catch (err) {
      for (const purse of batch) failAsk(purse)
      notBefore = clock.monotonicMs() + TIMES.retry
      goAway(err, batch)
    }
    // Who came meanwhile, and what was spent meanwhile or could not be told.
    for (const purse of batch) if (purse.waiting.length > 0 || purse.debt >= purse.terms.asksFrom) ask(purse)
  }

  const settleHere = (purse: Purse): void => {
    const at = now()
    answerWaiting(purse, ({ cost }) => chargeLocally(purse, cost, at))
    if (urgent.delete(purse)) quiet.add(purse)
  }

  /** A fault of ours in the statement is logged as one, and no reason either to let everybody through. */
  const goAway = (err: unknown, asked: readonly Purse[]): void => {
    if (!away) {
      const expected = err === undefined || isDatabaseUnavailable(err)
      log[expected ? 'warn' : 'error']({ err }, 'limits.counting_locally')
    }
    away = true
    for (const purse of [...urgent, ...asked]) settleHere(purse)
  }

  const comeBack = (): void => {
    if (away) log.info({}, 'limits.shared_again')
    away = false
  }

  const lookForLate = (): void => {
    const { ms } = now()
    if (underWay !== undefined && ms - underWay.since > TIMES.answer) goAway(undefined, underWay.purses)
    for (const purse of urgent) if (ms - (purse.waiting[0]?.since ?? ms) > TIMES.answer) settleHere(purse)
  }

  const looking = repeat({
    everyMs: TIMES.look,
    keepsAlive: false,
    onError: (err) => log.error({ err }, 'limits.look_failed'),
    run: async () => {
      // A process that was held up finds its timers due before it has read the answers that arrived meanwhile.
      await breathe()
      lookForLate()
    },
  })

  return Object.freeze({
    ask,
    away: () => away || closed,
    counts: () => counts,
    forget,
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
      await Promise.race([farewell(), delay(TIMES.farewell)])
    },
  })
}

const keyOf = (budget: string, subject: string): string => `${budget} ${subject}`

/** Removes and yields so many. */
function* take<T>(from: Set<T>, count: number): Generator<T> {
  let taken = 0
  for (const one of from) {
    if (taken === count) return
    taken += 1
    from.delete(one)
    yield one
  }
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
