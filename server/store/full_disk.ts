// Knows whether the disk of the database is full: since it refused a statement, until one that was refused goes
// through.

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
