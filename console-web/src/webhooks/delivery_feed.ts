// The live list of deliveries under one filter: first page, older pages, the stream, and the pause.

import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import { objectAt } from '../data/json_object.ts'
import type { LiveEvents } from '../data/live_events.ts'
import { Store } from '../data/store.ts'
import type { OlderPages } from '../ui/older_line.tsx'
import { type Delivery, readDelivery, readDeliveryPage } from './delivery.ts'
import { type DeliveryFilter, fits, requestOf } from './delivery_filter.ts'
import { type DeliveryList, emptyList, type MergeOptions, mergeDeliveries } from './delivery_list.ts'

export type DeliveryFeedState = {
  readonly list: DeliveryList
  readonly first: { readonly kind: 'loading' | 'read' } | { readonly kind: 'failed'; readonly why: string }
  readonly older: OlderPages
  /** Newest id shown while the list is paused. Null when the list is not paused. */
  readonly pausedAt: string | null
  /** Id of the delivery that last arrived live. Its row is highlighted. */
  readonly arrived: string | null
  /** True while the stream is connected, so that events arrive at once. */
  readonly live: boolean
}

const PAGE = 50
const LARGEST_PAGE = 250
const FLUSH_AFTER_MS = 40
const AGAIN_AFTER_MS = 5_000

export class DeliveryFeed {
  readonly state = new Store<DeliveryFeedState>({
    list: emptyList,
    first: { kind: 'loading' },
    older: { kind: 'unknown' },
    pausedAt: null,
    arrived: null,
    live: false,
  })
  readonly #api: Api
  readonly #live: LiveEvents
  readonly #filter: DeliveryFilter
  #lifetime = new AbortController()
  /** Number of reads of the newest page. The answer to an older read is ignored. */
  #reads = 0
  #buffer: Delivery[] = []
  /** Events that arrived while the newest page was loading. That page may lack them. */
  #meanwhile: Delivery[] = []
  #timers = new Map<'flush' | 'again', ReturnType<typeof setTimeout>>()

  constructor({ api, live }: { readonly api: Api; readonly live: LiveEvents }, filter: DeliveryFilter) {
    this.#api = api
    this.#live = live
    this.#filter = filter
  }

  /** Reads and follows the stream. The returned function ends it. */
  start(): () => void {
    this.#lifetime = new AbortController()
    const before = this.#reads
    const unfollow = this.#live.follow('webhook_deliveries', {
      opened: () => {
        this.#change({ live: true })
        void this.read()
      },
      closed: () => this.#change({ live: false }),
      heard: this.#heard,
    })
    // When the stream is already open, it has called back before this microtask, and the page has been
    // requested.
    queueMicrotask(() => this.#reads === before && void this.read())
    return () => {
      unfollow()
      this.#lifetime.abort()
      for (const timer of this.#timers.values()) clearTimeout(timer)
      this.#timers.clear()
      this.#buffer = []
    }
  }

  /**
   * Reads the newest page again, with as many rows as the list has. This finds changes whose events were
   * missed.
   */
  read = async (): Promise<void> => {
    this.#reads += 1
    const round = this.#reads
    const { signal } = this.#lifetime
    this.#meanwhile = []
    const held = this.state.read().list.rows
    const limit = Math.min(LARGEST_PAGE, Math.max(PAGE, held.length))
    try {
      const page = readDeliveryPage(await this.#api.get(requestOf(this.#filter, limit), signal))
      if (round !== this.#reads || signal.aborted) return
      const known = new Set(page.rows.map(({ id }) => id))
      const floor = page.next === null ? null : (page.rows.at(-1)?.id ?? null)
      const fresh = mergeDeliveries(emptyList, page.rows, { belongs: () => true })
      const news = [...this.state.read().list.rows.filter(({ id }) => known.has(id)), ...this.#meanwhile]
      this.#change({
        list: mergeDeliveries(fresh, news, { ...this.#rules(), floor }),
        first: { kind: 'read' },
        older: page.next === null ? { kind: 'end' } : { kind: 'idle', path: page.next },
      })
    } catch (error) {
      if (round !== this.#reads || signal.aborted) return
      const waitMs = error instanceof ApiFailure ? error.retryAfterMs : 0
      if (isTransient(error)) this.#later('again', Math.max(AGAIN_AFTER_MS, waitMs), () => void this.read())
      // Rows on screen stay; they are only not updated.
      if (held.length === 0) this.#change({ first: { kind: 'failed', why: messageOf(error) } })
    }
  }

  async loadOlder(): Promise<void> {
    const { older } = this.state.read()
    if (older.kind !== 'idle' && older.kind !== 'failed') return
    const round = this.#reads
    const { path } = older
    this.#change({ older: { kind: 'loading' } })
    try {
      const page = readDeliveryPage(await this.#api.get(path, this.#lifetime.signal))
      // The newest page was read again meanwhile, and its own link to older rows counts.
      if (round !== this.#reads) return
      this.#merge(page.rows, { belongs: () => true }, page.next)
    } catch (error) {
      if (round !== this.#reads || this.#lifetime.signal.aborted) return
      this.#change({ older: { kind: 'failed', path, why: messageOf(error) } })
    }
  }

  pause(): void {
    this.#change({ pausedAt: this.state.read().list.rows[0]?.id ?? '' })
  }

  /** Also removes the rows that the pause kept although they no longer match the filter. */
  resume(): void {
    const { list } = this.state.read()
    const rows = list.rows.filter((row) => fits(this.#filter, row))
    this.#change({ pausedAt: null, list: { ...list, rows } })
  }

  /** Shows the rows that the pause held back. A paused list stays paused. */
  showNew(): void {
    if (this.state.read().pausedAt !== null) this.pause()
  }

  #heard = (event: string, body: unknown): void => {
    const delivery = event.startsWith('delivery.') ? readDelivery(objectAt(body, 'data')) : null
    // A burst gives only a number, and an unreadable event gives nothing, so the newest page is read again. A
    // read that is already planned is not moved, because bursts come one after the other.
    if (delivery === null) {
      if (!this.#timers.has('again')) this.#later('again', AGAIN_AFTER_MS, () => void this.read())
      return
    }
    this.#buffer.push(delivery)
    if (!this.#timers.has('flush')) this.#later('flush', FLUSH_AFTER_MS, () => this.#flush())
  }

  #flush(): void {
    const arrivals = this.#buffer
    this.#buffer = []
    this.#meanwhile.push(...arrivals)
    const { list, older } = this.state.read()
    const floor = older.kind === 'end' ? null : (list.rows.at(-1)?.id ?? null)
    const before = list.rows[0]?.id ?? ''
    this.#merge(arrivals, { ...this.#rules(), floor })
    const newest = this.state.read().list.rows[0]?.id ?? ''
    if (newest > before) this.#change({ arrived: newest })
  }

  /**
   * `next` is the new link to older rows, null when there are none. When it is left out, the link does not
   * change.
   */
  #merge(deliveries: readonly Delivery[], rules: MergeOptions, next?: string | null): void {
    const list = mergeDeliveries(this.state.read().list, deliveries, rules)
    const older: OlderPages | null = list.trimmed
      ? { kind: 'bounded' }
      : next === undefined
        ? null
        : next === null
          ? { kind: 'end' }
          : { kind: 'idle', path: next }
    this.#change({ list, ...(older === null ? {} : { older }) })
  }

  #rules = (): MergeOptions => ({
    belongs: (delivery) => fits(this.#filter, delivery),
    keep: this.state.read().pausedAt !== null,
  })

  #later(name: 'flush' | 'again', ms: number, act: () => void): void {
    clearTimeout(this.#timers.get(name))
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      act()
    }, ms)
    this.#timers.set(name, timer)
  }

  #change = (change: Partial<DeliveryFeedState>): void =>
    this.state.write({ ...this.state.read(), ...change })
}
