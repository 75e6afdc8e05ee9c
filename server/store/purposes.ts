// What connections are for: each purpose has its own, so that a flood of one leaves the others theirs.

export interface Purpose {
  /** Connections of one server: so many, or so many parts of what the fixed ones leave. */
  readonly connections: { readonly fixed: number } | { readonly parts: number }
  /** Milliseconds, all of them. A statement that runs longer is ended by the database. */
  readonly statementMs: number
  /** A statement that waits longer for a lock is ended; 0 leaves that to the ceiling of the statement. */
  readonly lockMs: number
  /** A transaction in which nothing happens for so long ends with its session, and lets its locks go. */
  readonly idleMs: number
  /** A client that takes nothing off the wire for so long is gone; 0 leaves that to the operating system. */
  readonly silentMs: number
  readonly meaning: string
}

/** Ceilings are set on the session, so no statement of a purpose can forget them. */
export const PURPOSES = {
  ledger: {
    connections: { fixed: 2 },
    statementMs: 30_000,
    lockMs: 10_000,
    // Whoever holds the ledger's lock holds the chain: a process that sleeps must not hold it for long.
    idleMs: 3_000,
    silentMs: 3_000,
    meaning: 'making blocks',
  },
  watch: {
    connections: { fixed: 2 },
    statementMs: 5_000,
    lockMs: 2_000,
    idleMs: 5_000,
    silentMs: 0,
    meaning: 'the clock of blocks, readiness, live feeds, budgets: small, frequent and never behind reads',
  },
  write: {
    connections: { parts: 5 },
    statementMs: 8_000,
    lockMs: 4_000,
    idleMs: 10_000,
    silentMs: 0,
    meaning: 'submissions and changes',
  },
  work: {
    connections: { parts: 4 },
    statementMs: 15_000,
    lockMs: 5_000,
    idleMs: 10_000,
    silentMs: 0,
    meaning: 'what happens by the clock or the queue beside blocks: deliveries, commitments, pruning',
  },
  read: {
    connections: { parts: 4 },
    statementMs: 5_000,
    lockMs: 0,
    idleMs: 5_000,
    silentMs: 0,
    meaning: 'reads that an index answers',
  },
  expensive: {
    connections: { parts: 3 },
    statementMs: 5_000,
    lockMs: 0,
    idleMs: 5_000,
    silentMs: 0,
    meaning: 'reads that no index is sure to help: filters beyond eq, counts, offsets',
  },
} as const satisfies Record<string, Purpose>

export type PurposeName = keyof typeof PURPOSES

export const purposeNames: readonly PurposeName[] = ['ledger', 'watch', 'write', 'work', 'read', 'expensive']

/** Below this, purposes that must not wait for each other would have to. */
export const LEAST_CONNECTIONS = 10

/** Connections of one purpose when a server has so many in all; every purpose has at least one. */
export function connectionsOf(name: PurposeName, total: number): number {
  const { connections }: Purpose = PURPOSES[name]
  if ('fixed' in connections) return Math.max(1, Math.min(connections.fixed, Math.floor(total / 4)))
  const fixed = purposeNames.reduce((sum, other) => sum + fixedOf(other), 0)
  const parts = purposeNames.reduce((sum, other) => sum + partsOf(other), 0)
  return Math.max(1, Math.floor(((total - fixed) * connections.parts) / parts))
}

const fixedOf = (name: PurposeName): number => {
  const { connections }: Purpose = PURPOSES[name]
  return 'fixed' in connections ? connections.fixed : 0
}

const partsOf = (name: PurposeName): number => {
  const { connections }: Purpose = PURPOSES[name]
  return 'parts' in connections ? connections.parts : 0
}

/** Settings of a session of this purpose, as PostgreSQL takes them at its start. */
export const sessionSettings = (name: PurposeName): string[] => {
  const { statementMs, lockMs, idleMs, silentMs } = PURPOSES[name]
  return [
    `-c statement_timeout=${statementMs}`,
    `-c lock_timeout=${lockMs}`,
    `-c idle_in_transaction_session_timeout=${idleMs}`,
    ...(silentMs === 0
      ? []
      : [
          `-c tcp_user_timeout=${silentMs}`,
          '-c tcp_keepalives_idle=1',
          '-c tcp_keepalives_interval=1',
          `-c tcp_keepalives_count=${Math.floor(silentMs / 1_000)}`,
        ]),
    '-c timezone=UTC',
  ]
}
