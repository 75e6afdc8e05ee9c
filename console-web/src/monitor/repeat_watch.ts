// Recognizes a commitment's event that comes twice under different times: from the stream, and read from the API
// later, where only the time of its last change is known.
import { textAt } from '../data/json_object.ts'
import type { MonitorRow } from './monitor_row.ts'

/** Epochs close once in minutes, so this is days. */
const MOST_KNOWN = 1_000

export class RepeatWatch {
  readonly #known = new Set<string>()

  isRepeat(row: MonitorRow): boolean {
    if (row.stream !== 'commitments' || textAt(row.data, 'id') === null) return false
    const name = [row.kind, row.id, textAt(row.data, 'transaction_hash') ?? ''].join(' ')
    // What the stream sends happened now, even when it was the same before: a chain may take a transaction back.
    const isRepeat = row.origin === 'read' && this.#known.has(name)
    this.#known.add(name)
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(oldest)
    }
    return isRepeat
  }
}
