// Several servers' limits on one real database, each with a pool of its own.
import type { LimitChoices } from '../../../server/domain/limits/budgets.ts'
import type { Clock } from '../../../server/domain/limits/lease_budgets.ts'
import { createLimits, type Limits } from '../../../server/domain/limits/limits.ts'
import type { Log } from '../../../server/kernel/log.ts'
import { openStore, type Store } from '../../../server/store/open_store.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'
import { rows } from '../../support/rows.ts'

export interface Servers {
  readonly database: TestDatabase
  readonly query: <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>
  readonly store: Store
  /** One more server; closed at the end. `through` names something between it and the database. */
  readonly open: (options?: ServerOptions) => Promise<Limits & { readonly said: readonly string[] }>
  readonly close: () => Promise<void>
}

export interface ServerOptions {
  readonly limits?: LimitChoices
  readonly through?: (url: string) => string
  /** The steady one when absent. */
  readonly clock?: Clock
}

/** A server looks at its clock at least this often. */
const MOST_STEP_MS = 100

/**
 * A clock that does not count how long a machine stands still. A server that counted it would take a database that stood
 * still, too, for one that is away, and count for itself from then on.
 */
function steadyClock(): Clock {
  let ms = 0
  let seen = performance.now()
  return {
    monotonicMs: () => {
      const now = performance.now()
      ms += Math.min(now - seen, MOST_STEP_MS)
      seen = now
      return ms
    },
    unixMs: () => Date.now(),
  }
}

/** Where in the clock minute the database is at the start. Nobody's test should meet the boundary. */
const FIRST_SECOND = 5

export async function openServers(): Promise<Servers> {
  const database = await cloneDatabase()
  const minute = Date.now() - (Date.now() % 60_000)
  const clockOffset = `${(minute + FIRST_SECOND * 1_000 - Date.now()) / 1_000} seconds`
  const opened: { close: () => Promise<void> }[] = []
  const openPool = async (url: string, poolSize: number): Promise<Store> => {
    const store = openStore({ url, poolSize, clockOffset })
    opened.unshift(store)
    return store
  }
  const store = await openPool(database.url, 4)
  return {
    database,
    store,
    query: <Row>(text: string, parameters: readonly unknown[] = []) =>
      rows<Row>(store.em(), text, parameters),
    open: async ({
      limits = {},
      through = (url: string) => url,
      clock = steadyClock(),
    }: ServerOptions = {}) => {
      const said: string[] = []
      const pool = await openPool(through(database.url), 2)
      // As in a server that has started: the pool has a connection. Through something else the test says when.
      if (through(database.url) === database.url) await rows(pool.em(), 'SELECT 1')
      const server = createLimits({ em: pool.em, limits, log: listening(said), clock })
      opened.unshift(server)
      return Object.freeze({ ...server, said })
    },
    close: async () => {
      for (const one of opened) await one.close()
      await database.drop()
    },
  }
}

/** A clock that stands still until the test moves it: one for the servers that are opened with it and their database. */
export interface OwnClock extends Clock {
  readonly advance: (ms: number) => Promise<void>
}

/** The database of these servers has no other clock from now on. */
export async function ownClock({ query }: Servers): Promise<OwnClock> {
  let unixMs = Date.UTC(2026, 0, 1, 12, 0, FIRST_SECOND)
  await query('CREATE TABLE test_clock AS SELECT $1::double precision AS ms', [unixMs])
  await query(`
    CREATE OR REPLACE FUNCTION pharos_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT from_unix_ms(ms) FROM test_clock
    $$`)
  return {
    monotonicMs: () => unixMs,
    unixMs: () => unixMs,
    advance: async (ms) => {
      await query('UPDATE test_clock SET ms = ms + $1', [ms])
      unixMs += ms
    },
  }
}

/** A log that keeps the messages. */
function listening(said: string[]): Log {
  const say = (_: unknown, message?: string): void => void said.push(message ?? '')
  return { info: say, warn: say, error: say, debug: say, fatal: say }
}

/** So many charges, `lanes` at a time, server by server in the order that `at` gives. */
export async function chargeMany(
  count: number,
  lanes: number,
  chargeOne: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await chargeOne(next - 1)
      // As requests arrive: each in a turn of its own.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
