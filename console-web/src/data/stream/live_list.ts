// A list that is kept up to date, newest first: its newest page, older pages, what streams say, and what is held back
// while a person reads. Ids grow with time, so their order is the order of the rows.
import { ApiFailure, isTransient, messageOf } from '../api_failure.ts'
import { delayed } from '../delayed.ts'
import { eachOnce, mergeRows, type Row } from '../newest_first.ts'
import { LARGEST_PAGE, type Page } from '../resource.ts'
import { Store } from '../store.ts'
import type { Heard, ListRules, ListState } from './list_rules.ts'
import type { FollowPorts } from './live_events.ts'
import { type OlderPages, olderOf, olderReader } from './older_pages.ts'

const PAGE = 50
/** Pages of one read. Rows below them leave the list, and are asked for again where the reader comes to them. */
const MOST_PAGES = 4
/** Events of one moment are one change of the page. */
const FLUSH_AFTER_MS = 40
/** The wait after the first event, so that many at once are one read; and the least time between two reads. */
const SOON_MS = 250
const APART_MS = 4_000
const AGAIN_AFTER_MS = 5_000

export class LiveList<T extends Row> {
  readonly state = new Store<ListState<T>>({
    rows: [],
    first: { kind: 'loading' },
    older: { kind: 'unknown' },
    heldAt: null,
    arrived: null,
    live: false,
    unread: 0,
    isBehind: false,
  })
  readonly #ports: FollowPorts
  readonly #rules: ListRules<T>
  readonly #readOlder = olderReader(this.state)
  #lifetime = new AbortController()
  /** Number of reads of the newest page. The answer to an older read is ignored. */
  #reads = 0
  #readAt = 0
  #isAllPlanned = false
  #buffer: Heard<T>[] = []
  /** For each request under way, what was heard since it was asked: its answer may lack that. */
  readonly #meanwhile = new Set<Heard<T>[]>()
  readonly #nextFlush = delayed(() => this.#flush())
  /** One read is planned at a time. It is not moved, because events come one after the other. */
  readonly #nextRead = delayed(() => void this.#read(this.#isAllPlanned))

  constructor(ports: FollowPorts, rules: ListRules<T>) {
    this.#ports = ports
    this.#rules = rules
  }

  /** Reads and follows the streams. The returned function ends it; the rows stay for the next start. */
  start(): () => void {
    this.#lifetime = new AbortController()
    const before = this.#reads
    let isBegun = false
    const unfollows = this.#rules.streams.map((stream, index) =>
      this.#ports.live.follow(stream, {
        opened: () => {
          if (index > 0) return
          this.state.change({ live: true })
          // What a stream misses that takes long to open is more than the rules find otherwise.
          if (!isBegun || Date.now() - this.#readAt > APART_MS) void this.read()
          isBegun = false
        },
        closed: () => index === 0 && this.state.change({ live: false }),
        heard: this.#heard,
      }),
    )
    // A stream that is open already has called back before this microtask, and the page is under way.
    queueMicrotask(() => {
      if (this.#reads !== before) return
      isBegun = this.#rules.isReadOnce === true
      void this.read()
    })
    return () => {
      for (const unfollow of unfollows) unfollow()
      this.#lifetime.abort()
      this.#nextFlush.cancel()
      this.#nextRead.cancel()
      this.#buffer = []
      this.state.change({ live: false })
    }
  }

  /** Reads all that the list has again, and what is newer. This finds what was missed. */
  read = (): Promise<void> => this.#read(true)

  loadOlder = (): Promise<void> => {
    const { signal } = this.#lifetime
    const ask = (path: string) => this.#listening(() => this.#ask(path, signal))
    return this.#readOlder(signal, ask, ([page, heard]) => {
      const rows = [...this.state.read().rows, ...page.rows]
      this.#put(this.#merged(rows, heard, page.next), olderOf(page))
    })
  }

  /** Holds back what is newer than the rows of now, or of the last hold. */
  hold(): void {
    this.state.change({ heldAt: this.state.read().rows[0]?.id ?? '' })
  }

  /** Also lets go of the rows that were kept although they do not fit any more. */
  release(): void {
    const { rows, heldAt, isBehind } = this.state.read()
    if (heldAt !== null) this.state.change({ heldAt: null, rows: rows.filter(this.#rules.fits) })
    if (isBehind) void this.read()
  }

  async #read(isAll: boolean): Promise<void> {
    this.#reads += 1
    const round = this.#reads
    const { signal } = this.#lifetime
    this.#readAt = Date.now()
    this.#isAllPlanned = false
    this.state.change({ unread: 0 })
    try {
      const [page, heard] = await this.#listening(() => this.#newest(isAll, signal))
      if (round === this.#reads && !signal.aborted) this.#take(page, heard, isAll)
    } catch (error) {
      if (round !== this.#reads || signal.aborted) return
      const asked = error instanceof ApiFailure ? error.retryAfterMs : 0
      if (isTransient(error)) this.#plan(isAll, Math.max(AGAIN_AFTER_MS, asked))
      // Rows on screen stay; they are only not updated.
      if (this.state.read().first.kind === 'read') return
      const code = error instanceof ApiFailure ? error.code : null
      this.state.change({ first: { kind: 'failed', why: messageOf(error), code } })
    }
  }

  #plan(isAll: boolean, ms = Math.max(SOON_MS, this.#readAt + APART_MS - Date.now())): void {
    this.#isAllPlanned ||= isAll
    this.#nextRead.in(ms)
  }

  #heard = (event: string, body: unknown): void => {
    const { read, ...heard } = this.#readEvent(event, body)
    if (read === 'newer' && this.#rules.isCostly) this.state.change({ unread: this.state.read().unread + 1 })
    else if (read !== undefined && !this.#rules.isCostly) this.#plan(read === 'all')
    this.#buffer.push(heard)
    this.#nextFlush.in(FLUSH_AFTER_MS)
  }

  #readEvent(event: string, body: unknown): Heard<T> {
    try {
      return this.#rules.heard(event, body, this.state.read().rows)
    } catch (error) {
      if (error instanceof ApiFailure) return { read: 'all' }
      throw error
    }
  }

  #flush(): void {
    const came = this.#buffer
    this.#buffer = []
    for (const heard of this.#meanwhile) heard.push(...came)
    const { rows, older, isBehind } = this.state.read()
    // Before the first page nothing is put: how many rows of the service are below it is not known.
    if (older.kind === 'unknown') return
    const newest = rows[0]?.id ?? ''
    // Above a hole nothing is put: it is read when the list is let go.
    const told = isBehind ? came.filter(({ row }) => row === undefined || row.id <= newest) : came
    const merged = this.#merged(rows, told, older.kind === 'end' ? null : older)
    const arrived = merged[0]?.id ?? ''
    this.#put(merged, older, arrived > newest ? { arrived } : {})
  }

  /** Pages from the newest on, down to the oldest row of the list or only to its newest, unless that is far away. */
  async #newest(isAll: boolean, signal: AbortSignal): Promise<Page<T>> {
    const { rows } = this.state.read()
    const until = rows.at(isAll ? -1 : 0)?.id ?? '~'
    const limit = isAll ? Math.min(LARGEST_PAGE, Math.max(PAGE, rows.length)) : PAGE
    const [first, ...others] = await Promise.all(
      this.#rules.paths(limit).map((path) => this.#ask(path, signal)),
    )
    let all: Page<T> = first ?? NO_PAGE
    if (others.length > 0)
      return { ...NO_PAGE, rows: eachOnce([all, ...others].flatMap((page) => page.rows)) }
    for (let pages = 1; pages < MOST_PAGES; pages += 1) {
      if (all.next === null || (all.rows.at(-1)?.id ?? '') <= until) break
      const page = await this.#ask(all.next, signal)
      all = { ...page, rows: [...all.rows, ...page.rows] }
    }
    return all
  }

  #ask = async (path: string, signal: AbortSignal): Promise<Page<T>> =>
    this.#rules.page(await this.#ports.api.get(path, signal))

  async #listening<A>(ask: () => Promise<A>): Promise<readonly [A, readonly Heard<T>[]]> {
    const heard: Heard<T>[] = []
    this.#meanwhile.add(heard)
    try {
      return [await ask(), heard]
    } finally {
      this.#meanwhile.delete(heard)
    }
  }

  #take(page: Page<T>, heard: readonly Heard<T>[], isAll: boolean): void {
    const { rows, older, heldAt } = this.state.read()
    const { isLater, missed, most } = this.#rules
    const lowest = page.next === null ? '' : (page.rows.at(-1)?.id ?? '')
    // Rows between what was read and what is there are not known, so they are not put side by side.
    const isApart = lowest > ((isAll ? rows.at(-1) : rows[0])?.id ?? '~')
    const below = isAll || isApart ? [] : rows.filter(({ id }) => id < lowest)
    const read = new Set(page.rows.map(({ id }) => id))
    const gone = missed === undefined ? [] : rows.filter(({ id }) => id >= lowest && !read.has(id))
    const known = isLater === undefined ? [] : rows.filter(({ id }) => read.has(id))
    const all = eachOnce([...page.rows, ...gone.map((row) => missed?.(row) ?? row), ...below])
    const merged = this.#merged(all, heard, page.next, known)
    if (heldAt !== null && (isApart || merged.length > most)) this.state.change({ isBehind: true })
    else
      this.#put(merged, below.length > 0 ? older : olderOf(page), {
        first: { kind: 'read' },
        isBehind: false,
      })
  }

  /** `more` is null when the service has no rows below these. */
  #merged(
    rows: readonly T[],
    heard: readonly Heard<T>[],
    more: unknown,
    known: readonly T[] = [],
  ): readonly T[] {
    const floor = more === null ? null : (rows.at(-1)?.id ?? null)
    const changed = heard.reduce((now, { change }) => change?.(now) ?? now, rows)
    const reports = [...known, ...heard.flatMap(({ row }) => row ?? [])]
    return mergeRows(changed, reports, { ...this.#rules, floor, held: this.state.read().heldAt !== null })
  }

  #put(rows: readonly T[], older: OlderPages, change: Partial<ListState<T>> = {}): void {
    const { most } = this.#rules
    const isOver = rows.length > most
    this.state.change({
      ...change,
      rows: isOver ? rows.slice(0, most) : rows,
      older: isOver ? { kind: 'bounded' } : older,
    })
  }
}

const NO_PAGE = { rows: [], next: null, previous: null }
