// Runs reads that may not be able to use an index. They have their own connections, callers take turns, and one
// request has one time limit.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import { fairGate } from '../kernel/fair_gate.ts'
import { refuse } from '../kernel/refusal.ts'
import { text } from '../store/columns.ts'
import { isStatementTimeout } from '../store/database_errors.ts'
import { rows } from '../store/run.ts'
import { type Statement, statement } from '../store/statement.ts'
import { inTransaction } from '../store/transaction.ts'

/** Runs one statement and returns its rows. */
export type Query = <Row>(statement: Statement<Row>) => Promise<readonly Row[]>

/**
 * The expensive reads of one request. They share one time limit, which includes waiting.
 * @throws query_too_expensive when the time is over; overloaded when too many reads of the same caller already wait
 */
export type ExpensiveReads = <T>(work: (query: Query) => Promise<T>) => Promise<T>

export interface ExpensiveReadsOptions {
  /** Returns an entity manager of the connection purpose `expensive`. */
  readonly em: () => EntityManager
  /** Number of connections of that purpose. */
  readonly connections: number
  readonly ceilings: Ceilings
}

/** Milliseconds for all expensive reads of one request together. */
const TIME_MS = 5_000

/** Milliseconds by which a statement may outlast the time that its request has left. */
const TOLERANCE_MS = 200

/** A statement does not start when less than this many milliseconds are left. */
const LEAST_MS = 5

/** The most reads of all callers that may wait. Each of them leaves the queue within the time of its request. */
const WAITING = 512

/**
 * Call once per server. The returned function opens the reads of one request; requests with the
 * same `key` share its turns.
 */
export function openExpensiveReads({
  em,
  connections,
  ceilings,
}: ExpensiveReadsOptions): (key: string) => ExpensiveReads {
  const full = () =>
    refuse('overloaded', {
      detail: 'too many expensive reads wait already',
      meta: { maximum: ceilings.expensive_reads + ceilings.expensive_reads_waiting },
    })
  const gate = fairGate({
    total: connections,
    perKey: ceilings.expensive_reads,
    waitingPerKey: ceilings.expensive_reads_waiting,
    waiting: WAITING,
    full,
    late: () => refuse('overloaded', { detail: 'other expensive reads took all the time of this one' }),
  })
  return (key) => {
    let endsAt: number | undefined
    // The reads of one request run one after the other, so that one request cannot occupy all turns of its caller.
    let before: Promise<unknown> = Promise.resolve()
    const read: ExpensiveReads = async (work) => {
      endsAt ??= performance.now() + TIME_MS
      const end = endsAt
      const left = (): number => {
        const ms = end - performance.now()
        if (ms < LEAST_MS) throw tooExpensive()
        return ms
      }
      const leave = await gate.enter(key, left())
      try {
        const own = em()
        return await work((one) => {
          const ms = left()
          // The session's statement timeout is the time of a whole request. It is lowered only when
          // enough of that is used up.
          if (TIME_MS - ms <= TOLERANCE_MS) return rows(own, one)
          return inTransaction(own, async (inside) => {
            await rows(inside, LOWER_CEILING({ ms: String(Math.ceil(ms)) }))
            return rows(inside, one)
          })
        })
      } catch (error) {
        throw isStatementTimeout(error) ? tooExpensive() : error
      } finally {
        leave()
      }
    }
    return (work) => {
      const after = before.then(
        () => read(work),
        () => read(work),
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
