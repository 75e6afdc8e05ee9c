// A list that is kept up to date, newest first: its newest page, older pages, what a stream says, and what is held back
// while a person reads. Ids grow with time, so their order is the order of the rows.
import { useEffect, useMemo } from 'react'
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import type { Api } from '../api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../api_failure.ts'
import { useConsole } from '../console_context.ts'
import { mergeRows, newerThan } from '../newest_first.ts'
import type { Page } from '../resource.ts'
import { Store } from '../store.ts'
import { useStore } from '../use_store.ts'
import type { LiveEvents, LiveStream } from './live_events.ts'

type Row = { readonly id: string }

/** What is known of the pages below the last row. */
export type OlderPages =
  | { readonly kind: 'idle'; readonly path: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown' | 'end' | 'bounded' }

export type ListRules<T extends Row> = {
  /** The request of so many of the newest rows. */
  readonly path: (limit: number) => string
  /** @throws ApiFailure */
  readonly page: (answer: JsonValue) => Page<T>
  /** The most rows that the page keeps. */
  readonly most: number
  readonly fits: (row: T) => boolean
  /** Of two reports about one row, whether the first is the later one. They come in any order. */
  readonly isLater: (a: T, b: T) => boolean
  /** Null for rows of which no stream tells. */
  readonly stream: LiveStream | null
  /**
   * The row that an event is about. Null when the event names none, and the rows have to be read again.
   * @throws ApiFailure when it cannot be read, which is the same
   */
  readonly heard: (event: string, body: unknown) => T | null
}

export type ListState<T extends Row> = {
  /** Strictly descending by id, and no row of the server is missing between two of them. */
  readonly rows: readonly T[]
  readonly first:
    | { readonly kind: 'loading' | 'read' }
    | { readonly kind: 'failed'; readonly why: string; readonly code: string | null }
  readonly older: OlderPages
  /** The newest id that is shown while newer ones are held back. Null when nothing is held back. */
  readonly heldAt: string | null
  /** The id of the row that came last by the stream. */
  readonly arrived: string | null
  /** True while the stream is connected, so that events come at once. */
  readonly live: boolean
}

/** How many rows are held back. */
export const heldBack = ({ rows, heldAt }: Pick<ListState<Row>, 'rows' | 'heldAt'>): number =>
  heldAt === null ? 0 : newerThan(rows, heldAt)

/** `rules` keeps its identity while the list is the same. */
export const useLiveList = <T extends Row>(rules: ListRules<T>) => {
  const { api, live } = useConsole()
  const list = useMemo(() => new LiveList({ api, live }, rules), [api, live, rules])
  useEffect(() => list.start(), [list])
  return { list, state: useStore(list.state) }
}

const PAGE = 50
const LARGEST_PAGE = 250
/** Pages of one read. Rows below them leave the list, and are asked for again where the reader comes to them. */
const MOST_PAGES = 4
/** Events of one moment are one change of the page. */
const FLUSH_AFTER_MS = 40
const AGAIN_AFTER_MS = 5_000

export class LiveList<T extends Row> {
  readonly state = new Store<ListState<T>>({
    rows: [],
    first: { kind: 'loading' },
    older: { kind: 'unknown' },
    heldAt: null,
    arrived: null,
    live: false,
  })
  readonly #api: Pick<Api, 'get'>
  readonly #live: Pick<LiveEvents, 'follow'>
  readonly #rules: ListRules<T>
  #lifetime = new AbortController()
  /** Number of reads of the newest page. The answer to an older read is ignored. */
  #reads = 0
  #buffer: T[] = []
  /** For each request under way, what was heard since it was asked: its answer may lack that. */
  readonly #meanwhile = new Set<T[]>()
  readonly #timers = new Map<'flush' | 'again', ReturnType<typeof setTimeout>>()

  constructor(
    { api, live }: { readonly api: Pick<Api, 'get'>; readonly live: Pick<LiveEvents, 'follow'> },
    rules: ListRules<T>,
  ) {
    this.#api = api
    this.#live = live
    this.#rules = rules
  }

  /** Reads and follows the stream. The returned function ends it; the rows stay for the next start. */
  start(): () => void {
    this.#lifetime = new AbortController()
    const before = this.#reads
    const { stream } = this.#rules
    const unfollow =
      stream === null
        ? () => undefined
        : this.#live.follow(stream, {
            opened: () => {
              this.#change({ live: true })
              void this.read()
            },
            closed: () => this.#change({ live: false }),
            heard: this.#heard,
          })
    // A stream that is open already has called back before this microtask, and the page is under way.
    queueMicrotask(() => this.#reads === before && void this.read())
    return () => {
      unfollow()
      this.#lifetime.abort()
      for (const timer of this.#timers.values()) clearTimeout(timer)
      this.#timers.clear()
      this.#buffer = []
      this.#change({ live: false })
    }
  }

  /** Reads all that the list has again, and what is newer. This finds what was missed. */
  read = async (): Promise<void> => {
    this.#reads += 1
    const round = this.#reads
    const { signal } = this.#lifetime
    try {
      const [page, heard] = await this.#listening(() => this.#newest(signal))
      if (round === this.#reads && !signal.aborted) this.#take(page, heard)
    } catch (error) {
      if (round !== this.#reads || signal.aborted) return
      const asked = error instanceof ApiFailure ? error.retryAfterMs : 0
      if (isTransient(error)) this.#later('again', Math.max(AGAIN_AFTER_MS, asked), () => void this.read())
      // Rows on screen stay; they are only not updated.
      if (this.state.read().first.kind === 'read') return
      const code = error instanceof ApiFailure ? error.code : null
      this.#change({ first: { kind: 'failed', why: messageOf(error), code } })
    }
  }

  loadOlder = async (): Promise<void> => {
    const { older } = this.state.read()
    if (older.kind !== 'idle' && older.kind !== 'failed') return
    const { signal } = this.#lifetime
    const { path } = older
    const loading: OlderPages = { kind: 'loading' }
    // The list may have been read again meanwhile, and then has another link to older rows.
    const isMoot = (): boolean => this.state.read().older !== loading
    this.#change({ older: loading })
    try {
      const [page, heard] = await this.#listening(() => this.#ask(path, signal))
      if (isMoot()) return
      this.#put(this.#merged([...this.state.read().rows, ...page.rows], heard, page.next), olderOf(page))
    } catch (error) {
      if (isMoot()) return
      this.#change({
        older: signal.aborted ? { kind: 'idle', path } : { kind: 'failed', path, why: messageOf(error) },
      })
    }
  }

  /** Holds back what is newer than the rows of now, or of the last hold. */
  hold(): void {
    this.#change({ heldAt: this.state.read().rows[0]?.id ?? '' })
  }

  /** Also lets go of the rows that were kept although they do not fit any more. */
  release(): void {
    this.#change({ heldAt: null, rows: this.state.read().rows.filter(this.#rules.fits) })
  }

  #heard = (event: string, body: unknown): void => {
    const row = this.#rowOf(event, body)
    if (row === null) {
      // A read that is planned is not moved, because such events come one after the other.
      if (!this.#timers.has('again')) this.#later('again', AGAIN_AFTER_MS, () => void this.read())
      return
    }
    this.#buffer.push(row)
    if (!this.#timers.has('flush')) this.#later('flush', FLUSH_AFTER_MS, () => this.#flush())
  }

  #rowOf(event: string, body: unknown): T | null {
    try {
      return this.#rules.heard(event, body)
    } catch (error) {
      if (error instanceof ApiFailure) return null
      throw error
    }
  }

  #flush(): void {
    const came = this.#buffer
    this.#buffer = []
    for (const heard of this.#meanwhile) heard.push(...came)
    const { rows, older } = this.state.read()
    const merged = this.#merged(rows, came, older.kind === 'end' ? null : older)
    const newest = merged[0]?.id ?? ''
    this.#put(merged, older, newest > (rows[0]?.id ?? '') ? { arrived: newest } : {})
  }

  /** Pages from the newest on, down to the oldest row of the list, unless that is far away. */
  async #newest(signal: AbortSignal): Promise<Page<T>> {
    const { rows } = this.state.read()
    const until = rows.at(-1)?.id ?? '~'
    let all = await this.#ask(this.#rules.path(Math.min(LARGEST_PAGE, Math.max(PAGE, rows.length))), signal)
    for (let pages = 1; pages < MOST_PAGES; pages += 1) {
      if (all.next === null || (all.rows.at(-1)?.id ?? '') <= until) break
      const page = await this.#ask(all.next, signal)
      all = { ...page, rows: [...all.rows, ...page.rows] }
    }
    return all
  }

  #ask = async (path: string, signal: AbortSignal): Promise<Page<T>> =>
    this.#rules.page(await this.#api.get(path, signal))

  async #listening(ask: () => Promise<Page<T>>): Promise<readonly [Page<T>, readonly T[]]> {
    const heard: T[] = []
    this.#meanwhile.add(heard)
    try {
      return [await ask(), heard]
    } finally {
      this.#meanwhile.delete(heard)
    }
  }

  #take(page: Page<T>, heard: readonly T[]): void {
    const read = new Set(page.rows.map(({ id }) => id))
    const known = this.state.read().rows.filter(({ id }) => read.has(id))
    this.#put(this.#merged(page.rows, [...known, ...heard], page.next), olderOf(page), {
      first: { kind: 'read' },
    })
  }

  /** `more` is null when the service has no rows below these. */
  #merged(rows: readonly T[], reports: readonly T[], more: unknown): readonly T[] {
    const floor = more === null ? null : (rows.at(-1)?.id ?? null)
    return mergeRows(rows, reports, { ...this.#rules, floor, held: this.state.read().heldAt !== null })
  }

  #put(rows: readonly T[], older: OlderPages, change: Partial<ListState<T>> = {}): void {
    const { most } = this.#rules
    const isOver = rows.length > most
    this.#change({
      ...change,
      rows: isOver ? rows.slice(0, most) : rows,
      older: isOver ? { kind: 'bounded' } : older,
    })
  }

  #later(name: 'flush' | 'again', ms: number, act: () => void): void {
    clearTimeout(this.#timers.get(name))
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      act()
    }, ms)
    this.#timers.set(name, timer)
  }

  #change(change: Partial<ListState<T>>): void {
    this.state.write({ ...this.state.read(), ...change })
  }
}

const olderOf = ({ next }: Page<unknown>): OlderPages =>
  next === null ? { kind: 'end' } : { kind: 'idle', path: next }
