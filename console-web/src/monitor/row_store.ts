// The rows of the monitor: those on screen, and those that wait while a person holds the list still.
import type { MonitorRow } from './monitor_row.ts'
import type { RowFilter } from './row_filter.ts'
import { RowView } from './row_view.ts'

/** On screen, and as many again while the list is held. A row takes about 1 KB. */
export const MAX_ROWS = 100_000

export class RowStore {
  readonly #limit: number
  readonly #view: RowView
  #filter: RowFilter
  #waiting: RowView | null = null

  constructor(filter: RowFilter, limit: number = MAX_ROWS) {
    this.#limit = limit
    this.#filter = filter
    this.#view = new RowView(limit, filter)
  }

  /** The rows on screen. */
  get rows() {
    return this.#view.shown
  }

  /** How many rows there are on screen without the filter. */
  get total(): number {
    return this.#view.all.size
  }

  get isPaused(): boolean {
    return this.#waiting !== null
  }

  /** How many rows would come on screen now. */
  get waiting(): number {
    return this.#waiting?.shown.size ?? 0
  }

  /** True when older rows were dropped to keep the ceiling. */
  get isTrimmed(): boolean {
    return this.#view.all.floor !== null
  }

  get isSearching(): boolean {
    return this.#view.isSearching || this.#waiting?.isSearching === true
  }

  /**
   * Answers the rows that are new. `inView` is the oldest row that a person sees: instead of dropping it, the list is
   * held.
   */
  add(rows: readonly MonitorRow[], inView: MonitorRow | null = null): readonly MonitorRow[] {
    if (this.#waiting === null && inView !== null && this.#wouldDrop(inView, rows.length)) this.pause()
    if (this.#waiting === null) return this.#view.add(rows)
    const { all } = this.#view
    return this.#waiting.add(rows.filter((row) => !all.knows(row)))
  }

  /** The row that stands where `row` would stand, on screen or not. */
  find(row: MonitorRow): MonitorRow | undefined {
    return this.#view.all.find(row) ?? this.#waiting?.all.find(row)
  }

  pause(): void {
    this.#waiting ??= new RowView(this.#limit, this.#filter)
  }

  resume(): void {
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.#view.add(waiting.all.newest())
  }

  /** Shows the rows that wait. A list that is held stays held. */
  showWaiting(): void {
    if (this.#waiting === null) return
    this.resume()
    this.pause()
  }

  /** Begins a search. Call `search` until it answers true. */
  setFilter(filter: RowFilter): void {
    this.#filter = filter
    this.#view.setFilter(filter)
    this.#waiting?.setFilter(filter)
  }

  search(isOver: () => boolean): boolean {
    return this.#view.search(isOver) && (this.#waiting?.search(isOver) ?? true)
  }

  #wouldDrop(inView: MonitorRow, count: number): boolean {
    const { all } = this.#view
    return all.size - all.placeOf(inView) <= all.size + count - this.#limit
  }
}
