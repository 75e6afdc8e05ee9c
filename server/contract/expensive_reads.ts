// Runs reads that may not be able to use an index. They have their own connections, callers take turns, and one
// request has one time limit.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import { fairGate } from '../kernel/flow/fair_gate.ts'
import { Endable, type Lasting, whenOver } from '../kernel/flow/lasting.ts'
import { usedLately } from '../kernel/flow/tally.ts'
import { refuse } from '../kernel/refusal.ts'
import { text } from '../store/columns.ts'
import { isStatementTimeout } from '../store/database_errors.ts'
import { inTransaction, rows, type Statement, statement } from '../store/statement.ts'

/** Runs one statement and returns its rows. */
export type Query = <Row>(statement: Statement<Row>) => Promise<readonly Row[]>

/**
 * The expensive reads of one request. They share one time limit, and another for waiting.
 * @throws query_too_expensive when the time is over; overloaded when too many reads of the same caller already wait, or
 * its turn did not come in time
 */
export type ExpensiveReads = <T>(
  work: (query: Query) => Promise<T>,
  how?: { /** The request has read rows already, which it keeps. */ readonly holdsRows: boolean },
) => Promise<T>

/** The turn of a request, which it does not keep from others while it waits for the database. */
export interface Turn {
  /** When it is over, nobody waits for what is read. */
  readonly work: Lasting
  readonly giveUp: () => void
  /** @throws overloaded */
  readonly takeAgain: () => Promise<void>
}

/** The request that reads. */
export interface RunningRequest {
  /** Requests that its caller has side by side, this one included. */
  readonly sideBySide: () => number
  readonly turn?: Turn
}

const ALONE: RunningRequest = { sideBySide: () => 1 }

/** Milliseconds for all expensive reads of one request together, without waiting. */
const TIME_MS = 5_000

/** Milliseconds that they wait for their turns at most. */
const PATIENCE_MS = 60_000

/** What each request that a caller has side by side counts beforehand, in milliseconds. */
const EXPECTED_MS = 1_000

/** Milliseconds by which a statement may outlast the time that its request has left. */
const TOLERANCE_MS = 200

/** A statement does not start when less than this many milliseconds are left. */
const LEAST_MS = 5

/** The most reads of all callers that may wait. Each of them leaves the queue when its patience is over. */
const WAITING = 1_000

/**
 * Call once per server. The returned function opens the reads of one request. Requests with the same `key` share its
 * turns, and a free connection goes to the key that used least of the database in the last minute.
 * @param em returns an entity manager of the connection purpose `expensive`, which has this many connections
 */
export function openExpensiveReads({
  em,
  connections,
  ceilings,
}: {
  readonly em: () => EntityManager
  readonly connections: number
  readonly ceilings: Ceilings
}): (key: string, request?: RunningRequest) => ExpensiveReads {
  const used = usedLately()
  const enterWithRows = waitingWithRows(ceilings.expensive_reads_with_rows, used.by)
  const gate = fairGate({
    total: connections,
    perKey: ceilings.expensive_reads,
    waitingPerKey: ceilings.expensive_reads_waiting,
    waiting: WAITING,
    full: () =>
      refuse('overloaded', {
        detail: 'too many expensive reads wait already',
        meta: { maximum: ceilings.expensive_reads + ceilings.expensive_reads_waiting },
      }),
    late: () => refuse('overloaded', { detail: 'other expensive reads took all the time of this one' }),
  })
  return (key, { sideBySide, turn } = ALONE) => {
    let ranMs = 0
    let waitedMs = 0
    // The reads of one request run one after the other, so that one request cannot occupy all turns of its caller.
    let before: Promise<unknown> = Promise.resolve()
    const read: ExpensiveReads = async (work, how) => {
      turn?.giveUp()
      const entered = performance.now()
      const waits = how?.holdsRows === true ? enterWithRows(key, turn?.work) : undefined
      const over = waits?.work ?? turn?.work
      const patienceMs = Math.max(0, PATIENCE_MS - waitedMs)
      // So whoever has one request goes before whoever has ten, also when nothing is known of either yet.
      const cost = () => used.by(key) + sideBySide() * EXPECTED_MS
      const leave = await gate
        .enter(key, patienceMs, over === undefined ? { cost } : { cost, work: over })
        .finally(waits?.leave)
      const began = performance.now()
      waitedMs += began - entered
      const left = (): number => {
        const ms = TIME_MS - ranMs - (performance.now() - began)
        if (ms < LEAST_MS) throw tooExpensive()
        return ms
      }
      let tookMs = 0
      const take = (): void => {
        tookMs = performance.now() - began
        ranMs += tookMs
        used.note(key, tookMs)
      }
      try {
        const own = em()
        const found = await work((one) => {
          const ms = left()
          // The session's statement timeout is the time of a whole request. It is lowered only when
          // enough of that is used up.
          if (TIME_MS - ms <= TOLERANCE_MS) return rows(own, one)
          return inTransaction(own, async (inside) => {
            await rows(inside, LOWER_CEILING({ ms: String(Math.ceil(ms)) }))
            return rows(inside, one)
          })
        })
        take()
        // Before the connection is free, so that rows that were read do not pile up.
        if (turn !== undefined) {
          const readAt = performance.now()
          await turn.takeAgain()
          used.note(key, performance.now() - readAt)
        }
        return found
      } catch (error) {
        if (tookMs === 0) take()
        throw isStatementTimeout(error) ? tooExpensive() : error
      } finally {
        leave()
      }
    }
    return (work, how) => {
      const after = before.then(
        () => read(work, how),
        () => read(work, how),
      )
      before = after
      return after
    }
  }
}

const LOWER_CEILING = statement(
  { set_config: text },
  ({ ms }: { ms: string }) => sql`SELECT set_config('statement_timeout', ${ms}, true)`,
)

const tooExpensive = () => refuse('query_too_expensive', { meta: { maximum_ms: TIME_MS } })

/**
 * Requests that wait for an expensive read while they hold rows that they have read: few in all, because each may hold as
 * many bytes as an answer may have. One more costs the caller one who has most of them.
 * @param most requests that may wait
 * @param usedBy what a key has cost. Of those with equally many, the one that cost most loses one.
 */
function waitingWithRows(most: number, usedBy: (key: string) => number) {
  const byKey = new Map<string, Set<Endable>>()
  let count = 0
  const leave = (key: string, one: Endable): void => {
    const own = byKey.get(key)
    if (own?.delete(one) !== true) return
    count -= 1
    if (own.size === 0) byKey.delete(key)
  }
  const endOneOfMost = (): void => {
    let largest: ReadonlySet<Endable> = new Set()
    let cost = 0
    for (const [key, own] of byKey) {
      const used = usedBy(key)
      if (own.size < largest.size || (own.size === largest.size && used <= cost)) continue
      largest = own
      cost = used
    }
    const newest = [...largest].at(-1)
    newest?.end()
  }
  /** The work is over as well when it has to make room. `leave` once it does not wait any more. */
  return (key: string, work: Lasting | undefined): { readonly work: Lasting; readonly leave: () => void } => {
    const one = new Endable()
    const forget = work === undefined ? undefined : whenOver(work, one.end)
    const own = byKey.get(key) ?? new Set()
    byKey.set(key, own.add(one))
    count += 1
    const leaveOnce = (): void => {
      forget?.()
      leave(key, one)
    }
    whenOver(one, leaveOnce)
    if (count > most) endOneOfMost()
    return { work: one, leave: leaveOnce }
  }
}
