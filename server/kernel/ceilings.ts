// Process-wide ceilings for one caller, one request or one server, in one table: number and setting; and how many
// files this process may have open, which bounds its connections.

export interface Ceiling {
  readonly byDefault: number
  /** The environment variable that sets another number, a whole number from 1, where an operator has a reason to. */
  readonly setting?: string
  readonly meaning: string
}

/** Ceilings that several places share. A ceiling of one field, list or operation stands where that is declared. */
export const CEILINGS = {
  header_bytes: {
    byDefault: 65_536,
    meaning: 'bytes of a request’s target and header fields together; a filter of 250 hashes has some 25 KB',
  },
  response_bytes: {
    byDefault: 8 * 1_048_576,
    meaning: 'bytes of one answer; a list ends before the row that would pass it',
  },
  included_rows: {
    byDefault: 10_000,
    meaning: 'related rows embedded in one answer; a list ends before the row that would pass it',
  },
  problems: {
    byDefault: 50,
    meaning: 'problems told of one request; reading stops there',
  },
  expensive_reads: {
    byDefault: 2,
    meaning:
      'reads that no index is sure to help (filters beyond eq, counts, offsets) at once for one caller',
  },
  expensive_reads_waiting: {
    byDefault: 8,
    meaning:
      'such reads of one caller that wait beside those; a free turn goes to who used the database least',
  },
  expensive_reads_with_rows: {
    byDefault: 12,
    meaning:
      'requests on one server that wait for such a read with rows in memory, an answer full at most; one more costs a caller one who has most of them',
  },
  rows_looked_at: {
    byDefault: 500_000,
    meaning:
      'rows that one list may look at, where no index tells which rows match, for a count or for an offset',
  },
  requests: {
    byDefault: 1_000,
    meaning: 'requests under way on one server',
  },
  large_requests: {
    byDefault: 64,
    meaning: 'large requests (bodies over 16 KiB, GraphQL) at once on one server',
  },
  large_requests_per_caller: {
    byDefault: 2,
    meaning: 'large requests at once of one caller; more wait for their turn',
  },
  large_requests_waiting: {
    byDefault: 120,
    meaning: 'large requests of one caller that wait',
  },
  lists: {
    byDefault: 8,
    meaning: 'lists being read or sent at once on one server; who used the thread least goes next',
  },
  lists_per_caller: {
    byDefault: 1,
    meaning:
      'lists being read or sent at once for one caller; more wait for their turn, so that large pages do not fill the memory that the collector moves',
  },
  refusals_per_second: {
    byDefault: 10,
    meaning: 'answers a second that a caller over budget gets; more wait, five seconds at most',
  },
  loop_delay_ms: {
    byDefault: 500,
    setting: 'LIMIT_LOOP_DELAY_MS',
    meaning: 'milliseconds a server may be late before callers with a large request under way get no other',
  },
  password_hashes: {
    byDefault: 2,
    meaning:
      'passwords hashed at once on one server, each with 46 MiB of memory; more wait, five seconds at most',
  },
  password_hashes_waiting: {
    byDefault: 64,
    meaning:
      'passwords that wait to be hashed on one server, of browsers that are not known there; and as many of those that are',
  },
  connections: {
    byDefault: 20_000,
    setting: 'LIMIT_CONNECTIONS',
    meaning: 'TCP connections of one server; more are closed at once',
  },
  connections_per_address: {
    byDefault: 2_000,
    setting: 'LIMIT_CONNECTIONS_PER_ADDRESS',
    meaning: 'TCP connections of one address that is no trusted proxy; more are closed at once',
  },
  sockets: {
    byDefault: 10_000,
    setting: 'LIMIT_SOCKETS',
    meaning: 'stream connections of one server',
  },
  sockets_per_address: {
    byDefault: 1_000,
    setting: 'LIMIT_SOCKETS_PER_ADDRESS',
    meaning: 'stream connections of one client address (IPv4, or IPv6 /64) on one server',
  },
  scripts: {
    byDefault: 16,
    setting: 'LIMIT_SCRIPTS',
    meaning:
      'scripts of agents at once on one server, those that sleep or wait for a call too, each with up to 90 MiB of memory; more wait for a place',
  },
  scripts_per_account: {
    byDefault: 4,
    meaning: 'such scripts at once of one account; more wait for a place',
  },
  tool_call_ms: {
    byDefault: 60_000,
    meaning: 'milliseconds of one call of an agent tool; what it began may still be done',
  },
} as const satisfies Record<string, Ceiling>

/** Ceilings on one query: in its parameters on JSON:API, in its arguments on GraphQL. */
export const QUERY_CEILINGS = {
  /** Names and values of all parameters together. */
  parameters: 1_000,
  /** Parameters of the filter. */
  filter_parameters: 400,
  filter_depth: 8,
  filter_conditions: 100,
  /** Values of one `in` operator. */
  in_values: 250,
  sort_keys: 8,
  includes: 16,
  /** Relationships in one path. */
  include_steps: 4,
  /** Relationships of all paths together. A prefix that several paths share counts once. */
  include_relationships: 16,
  /** Characters of a cursor. The service never makes a longer one. */
  cursor: 4_096,
  /** Characters of If-None-Match: some eighty validators. */
  validators: 4_096,
} as const

type CeilingName = keyof typeof CEILINGS

/** The ceilings in force: the defaults and the settings that replace them. */
export type Ceilings = Readonly<Record<CeilingName, number>>

const isCeilingName = (name: string): name is CeilingName => Object.hasOwn(CEILINGS, name)

export const ceilingNames: readonly CeilingName[] = Object.keys(CEILINGS).filter(isCeilingName)

const isWhole = (numbers: Partial<Ceilings>): numbers is Ceilings =>
  ceilingNames.every((name) => numbers[name] !== undefined)

export function ceilings(chosen: Partial<Ceilings> = {}): Ceilings {
  const numbers: { [Name in CeilingName]?: number } = {}
  for (const name of ceilingNames) numbers[name] = chosen[name] ?? CEILINGS[name].byDefault
  if (!isWhole(numbers)) throw new Error('A ceiling has no number.')
  return Object.freeze(numbers)
}

/** For webhooks under way, the database, files and the like. Of few files it is half of them. */
const RESERVE = 2_048

/** The limit in force (RLIMIT_NOFILE), which Node has raised as far as it may. Undefined where it is not known. */
export function mostOpenFiles(): number | undefined {
  // Without it the names of peers are looked up, for what nobody asks.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = Object(process.report.getReport())
  const soft: unknown = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * The ceilings with which clients leave the server the files that it needs. Where that changes anything, streams take
 * half of the connections at most, and one address half of either.
 */
export function withinOpenFiles(ceilings: Ceilings, openFiles: number | undefined): Ceilings {
  const room = openFiles === undefined ? Number.POSITIVE_INFINITY : roomIn(openFiles)
  if (ceilings.connections <= room) return ceilings
  const sockets = atMostHalf(ceilings.sockets, room)
  return {
    ...ceilings,
    connections: room,
    connections_per_address: atMostHalf(ceilings.connections_per_address, room),
    sockets,
    sockets_per_address: atMostHalf(ceilings.sockets_per_address, sockets),
  }
}

/** The open files that so many connections need. */
export const openFilesFor = (connections: number): number => connections + RESERVE

const roomIn = (openFiles: number): number => Math.max(openFiles - RESERVE, Math.floor(openFiles / 2))

const atMostHalf = (count: number, of: number): number => Math.min(count, Math.max(1, Math.floor(of / 2)))
