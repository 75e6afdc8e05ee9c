// The live list of items under one filter: the first page, older pages, the stream, and what is held back
// while somebody reads. The last few lists are kept, so that going back finds the same rows at the same place.

import { useEffect, useState } from 'react'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import { type ConsoleParts, useConsole } from '../data/console_context.ts'
import { objectAt, textAt } from '../data/json_object.ts'
import type { Page } from '../data/resource.ts'
import { Store } from '../data/store.ts'
import type { LiveEvents } from '../data/stream/live_events.ts'
import type { OlderPages } from '../data/stream/live_list.ts'
import { useStore } from '../data/use_store.ts'
import { addressOf, type ItemFilter, isCostly, mayFit, requestsOf } from './item_filter.ts'
import {
  applyCarried,
  applyNews,
  type ItemList,
  type ItemNews,
  type ListedItem,
  MAX_ROWS,
  mergeRead,
  readItemNews,
  readListedPage,
} from './item_list.ts'

export type ItemFeedState = {
  readonly list: ItemList
  readonly first:
    | { readonly kind: 'loading' | 'read' }
    | { readonly kind: 'failed'; readonly why: string; readonly code: string | null }
  readonly older: OlderPages
  /** True while the stream is connected, so that events arrive at once. */
  readonly live: boolean
  /** The newest item that is shown while newer ones are held back. Null when nothing is held back. */
  readonly heldAt: string | null
  /** New items that may fit the filter and were not read, because only the person starts such a read. */
  readonly unread: number
  /** More new items than the page holds. They are shown when the list begins anew. */
  readonly isBehind: boolean
}

type Act = (list: ItemList) => ItemList

const PAGE = 50
const LARGEST_PAGE = 250
/** The wait after the first event, so that many at once are one read; and the least time between two reads. */
const SOON_MS = 250
const APART_MS = 4_000
const AGAIN_AFTER_MS = 5_000
const FLUSH_AFTER_MS = 40

const NOTHING: ItemFeedState = {
  list: [],
  first: { kind: 'loading' },
  older: { kind: 'unknown' },
  live: false,
  heldAt: null,
  unread: 0,
  isBehind: false,
}

export class ItemFeed {
  readonly state = new Store<ItemFeedState>(NOTHING)
  readonly #api: Api
  readonly #live: LiveEvents
  readonly filter: ItemFilter
  #lifetime = new AbortController()
  /** Number of reads of the newest page. The answer to an older read is ignored. */
  #reads = 0
  #lastRead = 0
  #timer: { readonly id: ReturnType<typeof setTimeout>; readonly whole: boolean } | null = null
  /** What was heard while a page was under way, which may lack it. */
  #meanwhile: Act[] = []
  #heardNow: Act[] = []

  constructor({ api, live }: { readonly api: Api; readonly live: LiveEvents }, filter: ItemFilter) {
    this.#api = api
    this.#live = live
    this.filter = filter
  }

  /** Reads and follows the streams. The returned function ends it; the rows stay for the next start. */
  start(): () => void {
    this.#lifetime = new AbortController()
    const before = this.#reads
    const unfollow = this.#live.follow('items', {
      opened: () => {
        this.#change({ live: true })
        void this.read()
      },
      closed: () => this.#change({ live: false }),
      heard: this.#heard,
    })
    const unfollowBlocks = this.#live.follow('blocks', {
      opened: () => undefined,
      closed: () => undefined,
      heard: this.#heardOfBlock,
    })
    // When the stream is already open, it has called back before this microtask, and the page was requested.
    queueMicrotask(() => this.#reads === before && void this.read())
    return () => {
      unfollow()
      unfollowBlocks()
      this.#lifetime.abort()
      this.#cancelTimer()
      this.#change({ live: false })
    }
  }

  /** Reads what the list holds again, and what is newer. Finds changes whose events were missed. */
  read = (): Promise<void> => this.#read(true)

  /** Begins anew with the newest items, as the person asked. */
  async restart(): Promise<void> {
    this.#change({ ...NOTHING, live: this.state.read().live })
    await this.read()
  }

  async loadOlder(): Promise<void> {
    const { older } = this.state.read()
    if (older.kind !== 'idle' && older.kind !== 'failed') return
    const { path } = older
    this.#change({ older: { kind: 'loading' } })
    try {
      const page = readListedPage(await this.#api.get(path, this.#lifetime.signal))
      const { list } = this.state.read()
      const oldest = list.at(-1)?.id
      const added = page.rows.filter(({ id }) => oldest === undefined || id < oldest)
      this.#change({ list: [...list, ...added], older: olderOf(list.length + added.length, page.next) })
    } catch (error) {
      if (!this.#lifetime.signal.aborted)
        this.#change({ older: { kind: 'failed', path, why: messageOf(error) } })
    }
  }

  /** Holds newer items back, because somebody reads below the first row. */
  hold(): void {
    const { list, heldAt } = this.state.read()
    if (heldAt === null && list[0] !== undefined) this.#change({ heldAt: list[0].id })
  }

  release(): void {
    this.#change({ heldAt: null })
  }

  async #read(whole: boolean): Promise<void> {
    this.#reads += 1
    const round = this.#reads
    const { signal } = this.#lifetime
    this.#cancelTimer()
    this.#lastRead = Date.now()
    this.#meanwhile = []
    this.#change({ unread: 0 })
    try {
      const read = await this.#pages(whole, signal)
      if (round === this.#reads && !signal.aborted) this.#take(read)
      this.#meanwhile = []
    } catch (error) {
      if (round !== this.#reads || signal.aborted) return
      const waitMs = error instanceof ApiFailure ? error.retryAfterMs : 0
      if (isTransient(error)) this.#plan(whole, Math.max(AGAIN_AFTER_MS, waitMs))
      // Rows on screen stay; they are only not updated.
      if (this.state.read().first.kind === 'read') return
      const code = error instanceof ApiFailure ? error.code : null
      this.#change({ first: { kind: 'failed', why: messageOf(error), code } })
    }
  }

  /** Pages from the newest on: all that the list holds, or only until the newest that it holds. */
  async #pages(whole: boolean, signal: AbortSignal): Promise<Page<ListedItem> & { readonly isMet: boolean }> {
    const { list } = this.state.read()
    const until = (whole ? list.at(-1) : list[0])?.id ?? null
    const limit = whole ? Math.min(LARGEST_PAGE, Math.max(PAGE, list.length)) : PAGE
    const requests = requestsOf(this.filter, limit)
    const first = await Promise.all(requests.map((request) => this.#page(request, signal)))
    const rows = first.flatMap((page) => page.rows)
    // Several requests are for one digest. More than their first pages are not looked for.
    let next = first.length === 1 ? (first[0]?.next ?? null) : null
    const isMet = (): boolean => until === null || next === null || (rows.at(-1)?.id ?? '') <= until
    while (next !== null && !isMet() && rows.length < MAX_ROWS) {
      const page = await this.#page(next, signal)
      rows.push(...page.rows)
      next = page.next
    }
    return { rows: distinct(rows), next, previous: null, isMet: isMet() }
  }

  #page = async (path: string, signal: AbortSignal): Promise<Page<ListedItem>> =>
    readListedPage(await this.#api.get(path, signal))

  #take({ rows, next, isMet }: { rows: ItemList; next: string | null; isMet: boolean }): void {
    const { list, older, heldAt } = this.state.read()
    const floor = next === null ? null : (rows.at(-1)?.id ?? null)
    const merged = this.#meanwhile.reduce((now, act) => act(now), mergeRead(list, rows, floor))
    // Rows between what was read and what is held are not known, so they are not put side by side.
    const isApart = list.length > 0 && !isMet && (rows.at(-1)?.id ?? '') > (list[0]?.id ?? '')
    if (isApart || (merged.length > MAX_ROWS && heldAt !== null)) {
      this.#change({ isBehind: true })
      return
    }
    const reachesEnd = (rows.at(-1)?.id ?? '') <= (list.at(-1)?.id ?? '~')
    this.#change({
      list: merged.slice(0, MAX_ROWS),
      first: { kind: 'read' },
      ...(merged.length > MAX_ROWS
        ? { older: { kind: 'bounded' } }
        : reachesEnd || list.length === 0 || next === null
          ? { older: olderOf(merged.length, next) }
          : { older }),
    })
  }

  #heard = (event: string, body: unknown): void => {
    const news = readItemNews(event, body)
    // A burst gives only a number, and an unreadable event gives nothing.
    if (news === null) {
      this.#plan(true)
      return
    }
    const { list } = this.state.read()
    this.#apply((now) => applyNews(now, news))
    const isHeld = list.some(({ id }) => id === news.id)
    if (isHeld ? news.kind === 'item.unredacted' : mayFit(this.filter, news)) this.#wanted(news)
  }

  #wanted({ kind }: ItemNews): void {
    if (!isCostly(this.filter)) this.#plan(false)
    else if (kind === 'item.created') this.#change({ unread: this.state.read().unread + 1 })
  }

  #heardOfBlock = (event: string, body: unknown): void => {
    const id = textAt(objectAt(body, 'data'), 'id')
    if (event === 'blocks.burst') this.#plan(true)
    else if (event === 'block.committed' && id !== null) this.#apply((now) => applyCarried(now, id))
  }

  /** The events of one moment are one change of the page. */
  #apply(act: Act): void {
    this.#meanwhile.push(act)
    this.#heardNow.push(act)
    if (this.#heardNow.length > 1) return
    setTimeout(() => {
      const acts = this.#heardNow.splice(0)
      this.#change({ list: acts.reduce((list, one) => one(list), this.state.read().list) })
    }, FLUSH_AFTER_MS)
  }

  /** One read is planned at a time. It is not moved, because events come one after the other. */
  #plan(whole: boolean, ms = Math.max(SOON_MS, this.#lastRead + APART_MS - Date.now())): void {
    if (this.#timer !== null && (this.#timer.whole || !whole)) return
    if (isCostly(this.filter) && this.state.read().first.kind === 'read') return
    this.#cancelTimer()
    const id = setTimeout(() => {
      this.#timer = null
      void this.#read(whole)
    }, ms)
    this.#timer = { id, whole }
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer.id)
    this.#timer = null
  }

  #change(change: Partial<ItemFeedState>): void {
    this.state.write({ ...this.state.read(), ...change })
  }
}

const olderOf = (length: number, next: string | null): OlderPages =>
  next === null ? { kind: 'end' } : length >= MAX_ROWS ? { kind: 'bounded' } : { kind: 'idle', path: next }

const distinct = (rows: readonly ListedItem[]): ListedItem[] =>
  [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? 1 : -1))

const KEPT_FEEDS = 3

/** By the API of the visit, so that nothing is kept for the next. */
const kept = new WeakMap<Api, readonly ItemFeed[]>()

const feedFor = ({ api, live }: ConsoleParts, filter: ItemFilter): ItemFeed => {
  const feeds = kept.get(api) ?? []
  const address = addressOf(filter)
  const feed = feeds.find((one) => addressOf(one.filter) === address) ?? new ItemFeed({ api, live }, filter)
  kept.set(api, [feed, ...feeds.filter((one) => one !== feed)].slice(0, KEPT_FEEDS))
  return feed
}

/** Another filter needs another component: give it the address as React key. */
export const useItemFeed = (filter: ItemFilter): { feed: ItemFeed; state: ItemFeedState } => {
  const parts = useConsole()
  const [feed] = useState(() => feedFor(parts, filter))
  useEffect(() => feed.start(), [feed])
  return { feed, state: useStore(feed.state) }
}
