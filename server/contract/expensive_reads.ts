// Reads that no index is sure to help: on connections of their own, by turns among callers, within one time for a request.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import { fairGate } from '../kernel/fair_gate.ts'
import { refuse } from '../kernel/refusal.ts'
import { text } from '../store/columns.ts'
import { isStatementTimeout } from '../store/database_faults.ts'
import { rows } from '../store/run.ts'
import { type Statement, statement } from '../store/statement.ts'
import { inTransaction } from '../store/transaction.ts'

/** Runs one statement. */
export type Query = <Row>(statement: Statement<Row>) => Promise<readonly Row[]>

/**
 * One request's expensive reads. All of them together, waiting included, have one time.
 * @throws query_too_expensive when that is over; overloaded when too many of the caller's wait already
 */
export type ExpensiveReads = <T>(work: (query: Query) => Promise<T>) => Promise<T>

export interface ExpensiveReadsOptions {
  /** Of the purpose `expensive`. */
  readonly em: () => EntityManager
  /** Connections of that purpose. */
  readonly connections: number
  readonly ceilings: Ceilings
}

/** Milliseconds of all expensive reads of one request. */
const TIME_MS = 5_000

/** So much longer than its request has left may a statement take. */
const TOLERANCE_MS = 200

/** A statement with less time than this is not begun. */
const LEAST_MS = 5

/** So many wait in all; they are gone within the time of a request. */
const WAITING = 512

/** Made once a server. What it answers opens one request's reads: `key` is whose turns they are. */
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
    // One after the other: what a single request asks for side by side must not take its caller's other turns.
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
          // The ceiling of a session is the time of a whole request: it is lowered when a good part of that is gone.
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
