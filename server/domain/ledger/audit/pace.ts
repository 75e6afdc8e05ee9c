// Interrupts the audit regularly so that other work in the process can run, and reports progress.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

type AuditCounts = Readonly<Record<'blocks' | 'items' | 'observations' | 'tombstones' | 'tiles', number>>

export interface AuditProgress extends AuditCounts {
  /** `total` is the number of blocks when the audit began. The audit ends there. */
  readonly heights: { readonly done: number; readonly total: number }
}

/** 64 checks take about ten milliseconds of signature checking. Other work in this process waits that long. */
const CHECKS_BETWEEN_YIELDS = 64

const PROGRESS_EVERY_MS = 1_000

/** Counts the checked rows. */
export class AuditPace {
  readonly #onProgress: ((progress: AuditProgress) => void) | undefined
  readonly #total: number
  readonly #counts = { blocks: 0, items: 0, observations: 0, tombstones: 0, tiles: 0 }
  #sinceYield = 0
  #reportedAt = performance.now()

  constructor(blocks: number, onProgress: ((progress: AuditProgress) => void) | undefined) {
    this.#total = blocks
    this.#onProgress = onProgress
  }

  get counts(): AuditCounts {
    return { ...this.#counts }
  }

  /** Call it after every row, and await the promise that it returns, if it returns one. */
  checked(what: keyof AuditCounts): Promise<void> | undefined {
    this.#counts[what] += 1
    this.#sinceYield += 1
    if (this.#sinceYield < CHECKS_BETWEEN_YIELDS) return undefined
    this.#sinceYield = 0
    if (performance.now() - this.#reportedAt >= PROGRESS_EVERY_MS) this.report()
    return yieldToEventLoop()
  }

  report(): void {
    this.#reportedAt = performance.now()
    this.#onProgress?.({ heights: { done: this.#counts.blocks, total: this.#total }, ...this.#counts })
  }
}
