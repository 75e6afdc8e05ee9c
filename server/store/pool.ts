// Connections to PostgreSQL for Kysely, with our parsers for its types and the column descriptions of answers.
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import { kept } from '../kernel/lru.ts'
import { step } from '../kernel/step.ts'
import { TYPE_OIDS } from './columns.ts'
import { type FullDisk, isDatabaseFull, isDatabaseUnavailable } from './database_errors.ts'
import { hexOfOutput, isoOfOutput } from './row_reader.ts'

/** For traces, e.g. `SELECT items`, `INSERT facts`, `COMMIT`. */
function statementTitle(text: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? ''
  if (!VERBS.has(verb)) return 'statement'
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?(?:\."?([a-z_]+)"?)?/i.exec(text)
  const name = table?.[2] ?? table?.[1]
  return name === undefined ? verb : `${verb} ${name}`
}

const VERBS: ReadonlySet<string> = new Set([
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'START', 'COMMIT', 'ROLLBACK', 'COPY'],
  ...['DECLARE', 'FETCH', 'CLOSE', 'SET', 'NOTIFY'],
])

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

const FIELDS = new WeakMap<readonly unknown[], readonly Field[]>()

/**
 * The columns of an answer, also when it has no rows. @throws an Error when the object did not come from the driver
 */
export function answeredColumns(answer: readonly unknown[]): readonly Field[] {
  const fields = FIELDS.get(answer)
  if (fields === undefined) throw new Error('These are no rows as the driver gave them.')
  return fields
}

/** How a statement is run. Kysely passes only its text and values on, so this is stored beside the values. */
export interface Asking {
  /** True when bytes are read as lower-case hex and times as ISO 8601 text, see `row_reader.ts`. */
  readonly isLegible?: boolean
  /** Under this name the connection prepares it, so that PostgreSQL parses it once. The text is always the same. */
  readonly name?: string
}

const ASKING = new WeakMap<readonly unknown[], Asking>()

/** @param values the array that Kysely gets; the driver is request with this very object */
export function noteAsking(values: readonly unknown[], asking: Asking): void {
  ASKING.set(values, asking)
}

export interface PoolObserver {
  /** What the connections are for, in traces. */
  readonly purpose: string
  /** Called with the milliseconds of each wait for a connection. Without a wait it is not called. */
  readonly onWaited: (ms: number) => void
  readonly disk: Pick<FullDisk, 'refused' | 'wentThrough'>
}

interface PoolOptions extends Omit<pg.PoolConfig, 'query_timeout'> {
  /** The longest wait for the answer to a statement, in milliseconds. The connection is closed after it. */
  readonly answerMs: number
  /** False where a pooler stands between that does not know prepared statements. */
  readonly prepares: boolean
}

/** The most statements that one connection keeps prepared. Each takes some 50 KB of its backend's memory. */
const MOST_PREPARED = 100

export function openPool({ prepares, answerMs, ...config }: PoolOptions, observer: PoolObserver) {
  const pool = new pg.Pool({ ...config, types: TYPES })
  // A lost connection emits an error event, which would end the process without a listener. Its user gets an error
  // too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    readInSteps(client)
  })
  return {
    dialect: new PostgresDialect({
      pool: describing(pool, { ...observer, answerMs, most: prepares ? MOST_PREPARED : 0 }),
    }),
    /** Connections now, and work that waits for one. */
    counts: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** Bytes of answers that are parsed before the event loop does other work: about a millisecond. */
const STEP_BYTES = 262_144

/** The socket would otherwise hand over two megabytes at a time, if the database is that quick. */
function readInSteps(client: pg.PoolClient): void {
  const connection: unknown = Reflect.get(client, 'connection')
  const stream: unknown = connection instanceof EventEmitter ? Reflect.get(connection, 'stream') : undefined
  if (!(stream instanceof Socket)) throw new Error('The driver has its socket elsewhere.')
  let taken = 0
  stream.on('data', ({ length }: Buffer) => {
    taken += length
    if (taken < STEP_BYTES) return
    stream.pause()
    setImmediate(() => {
      taken = 0
      stream.resume()
    })
  })
}

/** Dates stay text, because a Date would use our time zone. Sessions run in UTC, so instants become Dates. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(TYPE_OIDS.date, (text) => text)

const LEGIBLE = new pg.TypeOverrides(TYPES)
LEGIBLE.setTypeParser(TYPE_OIDS.bytea, hexOfOutput)
LEGIBLE.setTypeParser(TYPE_OIDS['timestamp with time zone'], isoOfOutput)

/** Kysely passes rows on without their column description, so the description is stored beside them. */
function describing(pool: pg.Pool, { onWaited, ...use }: PoolObserver & Use): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  // Kysely forgets its pool when it is closed. A connection that is made after that would never be released.
  let isEnding = false
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
      if (isEnding) {
        client.release()
        throw new Error('The pool was closed.')
      }
      return kept(known, client, () => describingClient(client, use))
    },
    end: () => {
      isEnding = true
      return pool.end()
    },
  }
}

interface Use extends Omit<PoolObserver, 'onWaited'>, Pick<PoolOptions, 'answerMs'> {
  /** The most statements that a connection keeps prepared. */
  readonly most: number
}

function describingClient(client: pg.PoolClient, { purpose, disk, answerMs, most }: Use): PostgresPoolClient {
  const prepared = new Set<string>()
  let isLost = false
  const nameOf = ({ name }: Asking): string | undefined => {
    if (name === undefined || prepared.has(name)) return name
    if (prepared.size >= most) return undefined
    prepared.add(name)
    return name
  }
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('The pool has no cursors of its own: DECLARE one.')
    const asking = ASKING.get(parameters) ?? {}
    const name = nameOf(asking)
    const request = {
      text,
      values: [...parameters],
      types: asking.isLegible === true ? LEGIBLE : TYPES,
      ...(name === undefined ? {} : { name }),
    }
    const ask = async (): Promise<pg.QueryResult | readonly pg.QueryResult[]> => {
      const answer = await answerTo(client, request, answerMs, () => {
        isLost = true
      }).catch((error: Error) => {
        if (isDatabaseFull(error)) disk.refused(text, error.message)
        // The stack of the driver's error leads to the socket. This one leads to who asked, which says nothing of a
        // database that is away: it fails whoever asks, and each of them would log a stack.
        if (isDatabaseUnavailable(error)) delete error.stack
        else Error.captureStackTrace(error)
        throw error
      })
      disk.wentThrough(text)
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
  return { query, release: () => client.release(isLost) }
}

type Answer = pg.QueryResult | readonly pg.QueryResult[]

/**
 * Asks by a callback and with a timer of our own. The closures of the driver's promise and of its `query_timeout` keep
 * the rows of an answer until the whole heap is collected, which costs a list a third of its processor time.
 */
const answerTo = (
  client: pg.PoolClient,
  request: pg.QueryConfig,
  answerMs: number,
  onLate: () => void,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      reject(new Error('Query read timeout'))
    }, answerMs)
    client.query(request, (error: Error | null, answer: Answer) => {
      clearTimeout(timer)
      if (error === null) resolve(answer)
      else reject(error)
    })
  })
