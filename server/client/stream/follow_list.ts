// A list of the service as it grows, by time. Rows may come to light later than younger ones, because what was begun
// earlier may be written later. So the list is read again from two minutes before the newest row, and each row is told
// once. What changes in a row is not told.
import type { Service } from '../ask/ask_service.ts'
import { type Going, untilAnswered } from '../ask/patience.ts'
import { LARGEST_PAGE, type ListedRow, queryOf, readListPage, textIn } from '../read/rows.ts'

interface ListReader extends Going {
  readonly service: Service
  /** Such as `/api/json/items`. Its rows have `inserted_at`, by which it is sorted and filtered. */
  readonly path: string
  /** Milliseconds between two looks. */
  readonly everyMs: number
  /** Rows that are remembered. Where more than these are made within two minutes, the window is shorter. */
  readonly mostSeen?: number
}

/** The newest rows first, or what was made from a time on (ISO 8601). */
export type ListStart = { readonly newest: number } | { readonly since: string }

/** Milliseconds. No transaction that makes rows takes longer. */
const WINDOW_MS = 120_000

const MOST_SEEN = 100_000

/** Between two full pages: half of what a caller may ask stays for others. */
const PAGE_REST_MS = 1_000

/** Never ends by itself. */
export async function* followList(reader: ListReader, start: ListStart): AsyncGenerator<ListedRow, never> {
  const seen = new SeenRows(reader.mostSeen ?? MOST_SEEN, () =>
    reader.terminal.note('! More is made than can be remembered: a row that comes late may be missed.'),
  )
  if ('since' in start) seen.beginAt(start.since)
  else yield* newestRows(reader, seen, start.newest)
  for (;;) {
    for await (const row of rowsFrom(reader, seen.floor)) if (seen.isNew(row)) yield row
    await reader.rest(reader.everyMs)
  }
}

/** What is in the window is seen, whether it is told or not. */
async function* newestRows(reader: ListReader, seen: SeenRows, count: number): AsyncGenerator<ListedRow> {
  const [newest] = await newestBefore(reader, undefined, 1)
  if (newest === undefined) return
  seen.beginAt(new Date(timeOf(newest) - WINDOW_MS).toISOString())
  const { floor } = seen
  const told: ListedRow[] = []
  for await (const row of rowsFrom(reader, floor)) {
    if (seen.isNew(row)) told.push(row)
    if (told.length > count) told.shift()
  }
  const older = count > told.length ? await newestBefore(reader, floor, count - told.length) : []
  yield* older.reverse()
  yield* told
}

async function newestBefore(
  reader: ListReader,
  before: string | undefined,
  count: number,
): Promise<ListedRow[]> {
  const path = `${reader.path}${queryOf({
    sort: '-inserted_at',
    'page[limit]': String(count),
    ...(before === undefined ? {} : { 'filter[inserted_at][lt]': before }),
  })}`
  const { rows } = await untilAnswered(reader, () => readListPage(reader.service, path))
  return [...rows]
}

/** In the order in which they were made. */
async function* rowsFrom(reader: ListReader, floor: string | undefined): AsyncGenerator<ListedRow> {
  let path: string | undefined = `${reader.path}${queryOf({
    sort: 'inserted_at',
    'page[limit]': String(LARGEST_PAGE),
    ...(floor === undefined ? {} : { 'filter[inserted_at][gte]': floor }),
  })}`
  while (path !== undefined) {
    const asked: string = path
    const { rows, next } = await untilAnswered(reader, () => readListPage(reader.service, asked))
    yield* rows
    path = next
    if (path !== undefined) await reader.rest(Math.min(PAGE_REST_MS, reader.everyMs))
  }
}

const timeOf = (row: ListedRow): number => Date.parse(textIn(row, 'inserted_at'))

/** The rows of the last two minutes before the newest. */
class SeenRows {
  readonly #times = new Map<string, number>()
  readonly #most: number
  readonly #onFull: () => void
  #floor = Number.NEGATIVE_INFINITY
  #isFull = false

  constructor(most: number, onFull: () => void) {
    this.#most = most
    this.#onFull = onFull
  }

  beginAt(time: string): void {
    this.#floor = Date.parse(time)
  }

  /** From when on rows are to be read again. Undefined before there is any. */
  get floor(): string | undefined {
    return Number.isFinite(this.#floor) ? new Date(this.#floor).toISOString() : undefined
  }

  /** Whether it was not seen before. It is from now on. */
  isNew(row: ListedRow): boolean {
    const time = timeOf(row)
    if (this.#times.has(row.id) || time < this.#floor) return false
    this.#times.set(row.id, time)
    this.#raise(time - WINDOW_MS)
    if (this.#times.size > this.#most) this.#shorten()
    return true
  }

  /** Rows come in the order of their times, but for those that come late. These go when they are the first. */
  #raise(floor: number): void {
    if (floor <= this.#floor) return
    this.#floor = floor
    for (const [id, time] of this.#times) {
      if (time >= floor) break
      this.#times.delete(id)
    }
  }

  #shorten(): void {
    const times = [...this.#times.values()].sort((one, other) => one - other)
    this.#raise((times[Math.floor(times.length / 2)] ?? this.#floor) + 1)
    for (const [id, time] of this.#times) if (time < this.#floor) this.#times.delete(id)
    if (!this.#isFull) this.#onFull()
    this.#isFull = true
  }
}
