// The rows that pass the filter. Each new row is looked at once; another filter looks through all rows in slices.
import type { MonitorRow } from './monitor_row.ts'
import { fits, NO_FILTER, passesAll, type RowFilter } from './row_filter.ts'
import { RowLog } from './row_log.ts'

/** A search through the rows that were there when the filter changed, newest first. */
type Search = {
  readonly rows: readonly MonitorRow[]
  readonly found: MonitorRow[]
  /** Rows that came after the search began. */
  readonly since: MonitorRow[]
  next: number
}

/** Rows between two looks at the clock. */
const STRIDE = 256

export class RowView {
  readonly all: RowLog
  readonly #limit: number
  #filter: RowFilter
  #passed: RowLog
  #search: Search | null = null

  constructor(limit: number, filter: RowFilter = NO_FILTER) {
    this.#limit = limit
    this.#filter = filter
    this.all = new RowLog(limit)
    this.#passed = new RowLog(limit)
  }

  /** The rows to show. While a search runs, those of the filter before. */
  get shown(): RowLog {
    return passesAll(this.#filter) && this.#search === null ? this.all : this.#passed
  }

  get isSearching(): boolean {
    return this.#search !== null
  }

  add(rows: readonly MonitorRow[]): readonly MonitorRow[] {
    const fresh = this.all.add(rows)
    if (this.#search !== null) this.#search.since.push(...fresh)
    if (this.shown === this.all) return fresh
    this.#passed.add(fresh.filter((row) => fits(this.#filter, row)))
    const { floor } = this.all
    if (floor !== null) this.#passed.dropThrough(floor)
    return fresh
  }

  /** Begins a search. Call `search` until it answers true. */
  setFilter(filter: RowFilter): void {
    // Without a filter the log itself was shown. Until the search is done, its rows stay.
    if (this.shown === this.all) this.#passed = new RowLog(this.#limit, this.all.newest().reverse())
    this.#filter = filter
    this.#search = passesAll(filter) ? null : { rows: this.all.newest(), found: [], since: [], next: 0 }
    if (passesAll(filter)) this.#passed = new RowLog(this.#limit)
  }

  /** Looks at rows until `isOver` says that the time is over. True when there is nothing left to look at. */
  search(isOver: () => boolean): boolean {
    const search = this.#search
    if (search === null) return true
    while (search.next < search.rows.length) {
      const end = Math.min(search.rows.length, search.next + STRIDE)
      for (; search.next < end; search.next += 1) {
        const row = search.rows[search.next]
        if (row !== undefined && fits(this.#filter, row)) search.found.push(row)
      }
      if (search.next < search.rows.length && isOver()) return false
    }
    this.#search = null
    this.#passed = new RowLog(this.#limit, search.found.reverse())
    this.#passed.add(search.since.filter((row) => fits(this.#filter, row)))
    const { floor } = this.all
    if (floor !== null) this.#passed.dropThrough(floor)
    return true
  }
}
