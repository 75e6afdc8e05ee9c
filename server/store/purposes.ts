// Purposes of connections. Each purpose has its own connections, so that a flood of one leaves the others theirs;
// behind a pooler, such as PgBouncer, each has a database of its own.

interface Purpose {
  /** Connections of one server: a fixed number, or parts of what the fixed numbers leave. One of the two is 0. */
  readonly connections: { readonly fixed: number; readonly parts: number }
  /** All in milliseconds. The database ends a statement that runs longer. */
  readonly statementMs: number
  /** Longest wait for a lock. With 0 the ceiling of the statement applies. */
  readonly lockMs: number
  /** The database ends a session that is idle in a transaction for this long, which releases its locks. */
  readonly idleMs: number
  /** The database closes a connection whose client reads nothing for this long. Else the operating system decides. */
  readonly silentMs?: number
  readonly meaning: string
}

/** Ceilings are settings of the session, so they apply to every statement of a purpose. */
export const PURPOSES = {
  ledger: {
    connections: { fixed: 2, parts: 0 },
    statementMs: 30_000,
    lockMs: 10_000,
    // The ledger's lock blocks the chain, so a stopped process must lose it soon.
    idleMs: 3_000,
    silentMs: 3_000,
    meaning: 'making blocks',
  },
  watch: {
    connections: { fixed: 2, parts: 0 },
    statementMs: 5_000,
    lockMs: 2_000,
    idleMs: 5_000,
    meaning: 'the clock of blocks, readiness, live feeds, budgets: small, frequent and never behind reads',
  },
  write: {
    connections: { fixed: 0, parts: 5 },
    statementMs: 8_000,
    lockMs: 4_000,
    idleMs: 10_000,
    meaning: 'submissions and changes',
  },
  work: {
    connections: { fixed: 0, parts: 4 },
    statementMs: 15_000,
    lockMs: 5_000,
    idleMs: 10_000,
    meaning: 'what happens by the clock or the queue beside blocks: deliveries, commitments, pruning',
  },
  read: {
    connections: { fixed: 0, parts: 4 },
    statementMs: 5_000,
    lockMs: 0,
    idleMs: 5_000,
    meaning: 'reads that an index answers',
  },
  expensive: {
    connections: { fixed: 0, parts: 3 },
    statementMs: 5_000,
    lockMs: 0,
    idleMs: 5_000,
    meaning: 'reads that no index is sure to help: filters beyond eq, counts, offsets',
  },
} as const satisfies Record<string, Purpose>

export type PurposeName = keyof typeof PURPOSES

export const purposeNames: readonly PurposeName[] = ['ledger', 'watch', 'write', 'work', 'read', 'expensive']

/** With fewer connections, purposes that must not wait for each other would share one. */
export const LEAST_CONNECTIONS = 10

/**
 * What a process does of what a server does. With several processes, one has the `clockwork` (blocks and all
 * background work) and the others the `ways_in`.
 */
export type Half = 'both' | 'clockwork' | 'ways_in'

export interface Share {
  readonly half: Half
  /** Processes with the ways in, of all those that share the connections. */
  readonly workers: number
}

const WHOLE: Share = { half: 'both', workers: 1 }

/** Two to watch, and one for each of the other purposes that a worker uses. */
const LEAST_OF_WORKER = 6

/** For several processes: the fewest connections of all together, and the usual number. */
export const leastConnections = (workers: number): number => 8 + 7 * workers
export const usualConnections = (workers: number): number => (workers === 1 ? 20 : 8 + 12 * workers)

/** Connections of one purpose for a process, of this many in all. Every purpose has at least one. */
export function connectionsOf(name: PurposeName, total: number, { half, workers }: Share = WHOLE): number {
  const { fixed, parts }: Purpose['connections'] = PURPOSES[name].connections
  const parted = total - sumOf('fixed')
  if (half === 'both')
    return fixed > 0
      ? Math.max(1, Math.min(fixed, Math.floor(total / 4)))
      : atLeastOne((parted * parts) / sumOf('parts'))
  const partsOfWork = PURPOSES.work.connections.parts
  // Pools connect when they are used, so what a half has no use for costs nothing.
  const work = atLeastOne(
    Math.min((parted * partsOfWork) / sumOf('parts'), parted - 2 - LEAST_OF_WORKER * workers),
  )
  if (fixed > 0) return fixed
  if (half === 'clockwork') return name === 'work' ? work : 1
  // The clockwork also reads gauges and makes the first account.
  const own = Math.floor((parted - work - 2) / workers)
  const beside = PURPOSES.watch.connections.fixed + 1
  return name === 'work' ? 1 : atLeastOne(((own - beside) * parts) / (sumOf('parts') - partsOfWork))
}

const atLeastOne = (share: number): number => Math.max(1, Math.floor(share))

const sumOf = (which: keyof Purpose['connections']): number =>
  purposeNames.reduce((sum, name) => sum + PURPOSES[name].connections[which], 0)

/** What a session of this purpose must have wherever it is: its ceilings, the time zone of our times, how it plans. */
export const ceilingsOf = (name: PurposeName): Readonly<Record<string, string>> => {
  const { statementMs, lockMs, idleMs } = PURPOSES[name]
  return {
    statement_timeout: `${statementMs}`,
    lock_timeout: `${lockMs}`,
    idle_in_transaction_session_timeout: `${idleMs}`,
    timezone: 'UTC',
    // What is not prepared is planned for its values; what is prepared, for any. See `preparedStatement`.
    plan_cache_mode: 'auto',
    // Compiling a statement takes longer than running any of ours.
    jit: 'off',
  }
}

/** The settings of a session of this purpose, in the form that PostgreSQL takes at connect. */
export const sessionSettings = (name: PurposeName): string[] => {
  const { silentMs }: Purpose = PURPOSES[name]
  const settings = {
    ...ceilingsOf(name),
    ...(silentMs === undefined
      ? {}
      : {
          tcp_user_timeout: `${silentMs}`,
          tcp_keepalives_idle: '1',
          tcp_keepalives_interval: '1',
          tcp_keepalives_count: `${Math.floor(silentMs / 1_000)}`,
        }),
  }
  return Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`)
}

/** Stands in the name of the database, e.g. `postgresql://pharos@pooler:6432/pharos_{purpose}`. */
const PLACE = /\{purpose\}|%7Bpurpose%7D/gi

export const isPooled = (url: string): boolean => new RegExp(PLACE, 'i').test(url)

/** The address for one purpose. One that is not pooled is the same for all. */
export const urlFor = (purpose: PurposeName, url: string): string => url.replaceAll(PLACE, purpose)
