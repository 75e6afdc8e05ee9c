// Connections to PostgreSQL for Kysely, with our parsers for its types and the column descriptions of answers.
import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import { step } from '../kernel/step.ts'
import { TYPE_OIDS } from './columns.ts'
import { statementTitle } from './statement_title.ts'

export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

const FIELDS = new WeakMap<readonly unknown[], readonly Field[]>()

/**
 * The columns of an answer, also when it has no rows. @throws an Error when the object did not come from the driver
 */
export function fieldsOf(answer: readonly unknown[]): readonly Field[] {
  const fields = FIELDS.get(answer)
  if (fields === undefined) throw new Error('These are no rows as the driver gave them.')
  return fields
}

/** Connections of one pool now. */
export interface PoolCounts {
  readonly inUse: number
  readonly idle: number
  /** Work that waits for a connection. */
  readonly waiting: number
}

export interface OpenPool {
  readonly dialect: PostgresDialect
  readonly counts: () => PoolCounts
}

export interface PoolObserver {
  /** What the connections are for, in traces. */
  readonly purpose: string
  /** Called with the milliseconds of each wait for a connection. Without a wait it is not called. */
  readonly onWaited: (ms: number) => void
}

export function openPool(config: pg.PoolConfig, observer: PoolObserver): OpenPool {
  const pool = new pg.Pool({ ...config, types: TYPES })
  // A lost connection emits an error event, which would end the process without a listener. Its user gets an error
  // too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    dialect: new PostgresDialect({ pool: describing(pool, observer) }),
    counts: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** Dates stay text, because a Date would use our time zone. Sessions run in UTC, so instants become Dates. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(TYPE_OIDS.date, (text) => text)

/** Kysely passes rows on without their column description, so the description is stored beside them. */
function describing(pool: pg.Pool, { purpose, onWaited }: PoolObserver): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const connect = async (): Promise<pg.PoolClient> => {
    if (pool.idleCount > 0) return pool.connect()
    const began = performance.now()
    try {
      return await pool.connect()
    } finally {
      onWaited(performance.now() - began)
    }
  }
  return {
    options: pool.options,
    connect: async () => {
      const client = await connect()
      const before = known.get(client)
      if (before !== undefined) return before
      const made = describingClient(client, purpose)
      known.set(client, made)
      return made
    },
    end: () => pool.end(),
  }
}

function describingClient(client: pg.PoolClient, purpose: string): PostgresPoolClient {
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('The pool has no cursors of its own: DECLARE one.')
    const ask = async (): Promise<pg.QueryResult | readonly pg.QueryResult[]> => {
      const answer: pg.QueryResult | readonly pg.QueryResult[] = await client.query(text, [...parameters])
      // A text with several statements has one answer for each.
      if ('rows' in answer) FIELDS.set(answer.rows, answer.fields)
      return answer
    }
    return step('statement', ask, {
      describe: () => ({
        title: statementTitle(text),
        facts: { 'db.system.name': 'postgresql', 'pharos.purpose': purpose },
      }),
    })
  }
  return { query, release: () => client.release() }
}
