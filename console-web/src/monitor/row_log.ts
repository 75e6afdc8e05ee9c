// Rows in the order of time, up to a ceiling. Adding at the newer end costs the same however many rows there are.
import { compareRows, type MonitorRow } from './monitor_row.ts'

/** Dropped rows leave the memory in portions of this size, so that no single drop moves the whole list. */
const DROP_PORTION = 4_096

export class RowLog {
  readonly #limit: number
  /** Oldest first. The rows before `#first` are dropped. */
  #rows: MonitorRow[]
  #first = 0
  /** The newest row that was dropped. What is not newer never comes back. */
  #floor: MonitorRow | null = null

  /** `rows` must be in order, oldest first, none twice. */
  constructor(limit: number, rows: MonitorRow[] = []) {
    this.#limit = limit
    this.#rows = rows
    this.#drop(rows.length - limit)
  }

  get size(): number {
    return this.#rows.length - this.#first
  }

  /** The newest of the rows that were dropped to keep the ceiling. */
  get floor(): MonitorRow | null {
    return this.#floor
  }

  /** Row 0 is the newest. */
  at(place: number): MonitorRow | undefined {
    const index = this.#rows.length - 1 - place
    return place < 0 || index < this.#first ? undefined : this.#rows[index]
  }

  /** The place of a row: how many rows are newer. It counts for a row that is not here, too. */
  placeOf(row: MonitorRow): number {
    return this.#rows.length - this.#firstAbove(row)
  }

  /** Whether adding the row would change nothing: it is here, or was dropped. */
  knows(row: MonitorRow): boolean {
    return this.#isDropped(row) || this.has(row)
  }

  has(row: MonitorRow): boolean {
    return this.find(row) !== undefined
  }

  /** In any order, with repetitions. Answers the rows that were not here before, oldest first. */
  add(rows: readonly MonitorRow[]): readonly MonitorRow[] {
    const fresh = ordered(rows.filter((row) => !this.knows(row)))
    const [oldest] = fresh
    if (oldest === undefined) return fresh
    const newest = this.#rows.at(-1)
    if (newest === undefined || this.size === 0 || compareRows(newest, oldest) < 0)
      for (const row of fresh) this.#rows.push(row)
    else this.#merge(this.#rows.splice(this.#firstAbove(oldest)), fresh)
    this.#drop(this.size - this.#limit)
    return fresh
  }

  /** Drops every row that is not newer than `row`. */
  dropThrough(row: MonitorRow): void {
    this.#drop(this.#firstAbove(row) - this.#first)
  }

  /** A copy, newest first. */
  newest(count: number = this.size): MonitorRow[] {
    return this.#rows.slice(Math.max(this.#first, this.#rows.length - count)).reverse()
  }

  /** The row that stands where `row` would stand. */
  find(row: MonitorRow): MonitorRow | undefined {
    const found = this.at(this.placeOf(row))
    return found !== undefined && compareRows(found, row) === 0 ? found : undefined
  }

  #merge(newer: readonly MonitorRow[], fresh: readonly MonitorRow[]): void {
    let next = 0
    for (const row of newer) {
      for (let added = fresh[next]; added !== undefined && compareRows(added, row) < 0; added = fresh[next]) {
        this.#rows.push(added)
        next += 1
      }
      this.#rows.push(row)
    }
    for (const row of fresh.slice(next)) this.#rows.push(row)
  }

  #drop(count: number): void {
    if (count <= 0) return
    this.#first += Math.min(count, this.size)
    this.#floor = this.#rows[this.#first - 1] ?? this.#floor
    if (this.#first < DROP_PORTION) return
    this.#rows.splice(0, this.#first)
    this.#first = 0
  }

  #isDropped = (row: MonitorRow): boolean => this.#floor !== null && compareRows(row, this.#floor) <= 0

  /** The index of the oldest row that is newer than `row`. Rows arrive near the newer end, so it begins there. */
  #firstAbove(row: MonitorRow): number {
    let low = this.#first
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = this.#rows[middle]
      if (found !== undefined && compareRows(found, row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

const ordered = (rows: MonitorRow[]): MonitorRow[] =>
  rows.sort(compareRows).filter((row, index) => {
    const before = rows[index - 1]
    return before === undefined || compareRows(before, row) !== 0
  })
