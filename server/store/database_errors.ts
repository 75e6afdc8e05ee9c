// Distinguishes "the database is away" (a 503 that passes) from an error in our statement, and knows whether its disk is
// full: since it refused a statement, until one that was refused goes through.
import { causes, errorCode } from '../kernel/error_code.ts'

/**
 * SQLSTATE classes and codes of a server that is unreachable or stopping, or of a standby that is not promoted yet
 * (PostgreSQL appendix A).
 */
const UNAVAILABLE_STATES = /^(08|53|57P0|25P03|25006)/

const UNAVAILABLE_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])

/** The socket of a database that does not run. Any other file that is missing is no sign of a database. */
const isSocketGone = (cause: Error, code: string): boolean =>
  code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect'

const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after calling end|driver has already been destroyed|is not currently accepting connections/i

/** True when PostgreSQL could not be reached or went away. Also looks at wrapped errors. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const cause of causes(error)) {
    const code = errorCode(cause) ?? ''
    if (UNAVAILABLE_ERRNO.has(code) || isSocketGone(cause, code)) return true
    if (code.length === 5 && UNAVAILABLE_STATES.test(code)) return true
    if (UNAVAILABLE_MESSAGES.test(cause.message)) return true
  }
  return false
}

/** Whether PostgreSQL ended the statement with this SQLSTATE, and with these words where the state says too little. */
const endedWith =
  (state: string, words = /(?:)/) =>
  (error: unknown): boolean =>
    causes(error).some((cause) => errorCode(cause) === state && words.test(cause.message))

/** The database found no room for a statement on its disk. */
export const isDatabaseFull = endedWith('53100')

/**
 * The statement exceeded its statement timeout. False for a lock timeout and for a cancel by an operator.
 */
export const isStatementTimeout = endedWith('57014', /statement timeout/)

/** The statement waited too long for a lock of another session. */
const isLockTimeout = endedWith('55P03')

/** A standby ended the statement, because the primary has removed rows that it might still read. */
export const isRecoveryConflict = endedWith('40001', /recovery/)

/** A unique or primary key refused the row. */
export const isDuplicate = endedWith('23505')

/** A row names another one that is gone (a foreign key refused it). */
export const isReferenceGone = endedWith('23503')

/** True when the database is away, or a statement or lock timeout ended the statement. */
export const isDatabaseHeldUp = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isStatementTimeout(error) || isLockTimeout(error)

interface DiskListener {
  /** A statement was refused. */
  readonly onRefused: () => void
  /** The disk is full from now on, with the words of the database, or has room again. */
  readonly onFull: (words: string) => void
  readonly onRoom: () => void
}

/**
 * Milliseconds. Nobody may try again what was refused, so after this time without another refusal the disk counts as one
 * with room.
 */
const FORGOTTEN_MS = 120_000

/** Texts of statements that are remembered. */
const MOST = 100

/**
 * Other statements say nothing: reads go on, and so do writes that fit into pages that exist. Each process knows of its
 * own statements.
 */
export class FullDisk {
  readonly #monotonic: () => number
  readonly #refused = new Set<string>()
  #refusedAt = Number.NEGATIVE_INFINITY
  #listener: DiskListener | undefined

  /** @param monotonic for tests: a monotonic clock in milliseconds */
  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic
  }

  get isFull(): boolean {
    if (this.#refused.size > 0 && this.#monotonic() - this.#refusedAt > FORGOTTEN_MS) this.#clear()
    return this.#refused.size > 0
  }

  /** Replaces the listener before. */
  hear(listener: DiskListener): void {
    this.#listener = listener
  }

  refused(statement: string, words: string): void {
    const wasFull = this.isFull
    if (this.#refused.size < MOST) this.#refused.add(statement)
    this.#refusedAt = this.#monotonic()
    if (!wasFull) this.#listener?.onFull(words)
    this.#listener?.onRefused()
  }

  wentThrough(statement: string): void {
    if (this.#refused.size > 0 && this.#refused.has(statement)) this.#clear()
  }

  #clear(): void {
    this.#refused.clear()
    this.#listener?.onRoom()
  }
}
