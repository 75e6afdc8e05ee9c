// The items of the team that wait for the next block: counted by the service, and then by what the stream tells of them.
import type { Api } from '../data/api_client.ts'
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/shape.ts'
import type { Store } from '../data/store.ts'
import type { LiveEvents } from '../data/stream/live_events.ts'
import type { Tile } from './tile.ts'

type WaitingParts = {
  readonly api: Pick<Api, 'get'>
  readonly live: Pick<LiveEvents, 'follow'>
  readonly clockOffset: Store<number>
}

type Arrival = { readonly at: number; readonly items: number }

/** Between two counts, because events that come all the time would otherwise ask all the time. */
const APART_MS = 1_000

export class WaitingItems {
  readonly #parts: WaitingParts
  #lifetime = new AbortController()
  #head: Tile | undefined
  #isOpen = false
  /** Submitted since the newest block, oldest first. Null until they were counted. */
  #arrivals: readonly Arrival[] | null = null
  /** When the last count was answered, in milliseconds of the service's clock. */
  #countedAt = 0
  #isCounting = false
  #isWanted = false
  /** Another number whenever the team's items in blocks may be others. */
  changes = 0

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  /** Null until they were counted. */
  get items(): number | null {
    return this.#arrivals?.reduce((sum, { items }) => sum + items, 0) ?? null
  }

  /** The returned function ends it. */
  start(): () => void {
    this.#lifetime = new AbortController()
    const unfollow = this.#parts.live.follow('items', {
      opened: () => {
        this.#isOpen = true
        // What was read before the first connection is new enough.
        if (this.#arrivals !== null) this.changes += 1
        void this.#count()
      },
      closed: () => {
        this.#isOpen = false
      },
      heard: this.#heard,
    })
    return () => {
      unfollow()
      this.#lifetime.abort()
    }
  }

  /** Call when another block is the newest: it holds what waited. */
  blockCame(head: Tile): void {
    this.#head = head
    if (this.items !== null && this.items > 0) this.changes += 1
    this.#arrivals = this.#arrivals?.filter(({ at }) => at > head.at) ?? null
    if (this.#arrivals === null) void this.#count()
  }

  #heard = (event: string, body: unknown): void => {
    const isBurst = event === 'items.burst'
    if (event === 'item.redacted' || event === 'item.deleted') this.changes += 1
    if (!isBurst && event !== 'item.created') return
    const items = isBurst ? (numberAt(objectAt(body, 'by_kind'), 'item.created') ?? 0) : 1
    const at = Date.parse(textAt(body, isBurst ? 'last_at' : 'at') ?? '')
    if (items === 0 || Number.isNaN(at)) return
    const from = isBurst ? Date.parse(textAt(body, 'first_at') ?? '') : at
    // An event may come long after its item, so that the last count has it already; and the count under way may have been
    // made before it.
    if (this.#arrivals === null || this.#isCounting || !(from > this.#countedAt)) void this.#count()
    else this.#arrivals = withArrival(this.#arrivals, { at, items })
  }

  /** One request at a time. Wanted meanwhile, it is made once more. Retried until it succeeds. */
  async #count(): Promise<void> {
    this.#isWanted = true
    // They are counted from the newest block on, and when no item is missed any more.
    if (this.#isCounting || !this.#isOpen || this.#head === undefined) return
    const { signal } = this.#lifetime
    this.#isCounting = true
    let failures = 0
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false
      try {
        await this.#ask(this.#head, signal)
        failures = 0
        if (this.#isWanted) await pause(APART_MS, signal)
      } catch (error) {
        failures += 1
        this.#isWanted = true
        await pause(waitAfter(failures, error), signal)
      }
    }
    this.#isCounting = false
    // Started again, while the request from before was being aborted.
    if (signal.aborted && !this.#lifetime.signal.aborted) void this.#count()
  }

  async #ask(head: Tile, signal: AbortSignal): Promise<void> {
    const document = await this.#parts.api.get(countPath(head.at), signal)
    const items = numberAt(isJsonObject(document) ? objectAt(document.meta, 'page') : null, 'total')
    // A block that came meanwhile holds some of them.
    if (this.#head !== head) this.#isWanted = true
    else if (items !== null) {
      this.#countedAt = Date.now() + this.#parts.clockOffset.read()
      this.#arrivals = [{ at: this.#countedAt, items }]
    }
  }
}

/** The number of items since then, in one row of the list's count. */
const countPath = (headAt: number): string =>
  '/api/json/items?page[limit]=1&page[count]=true&fields[item]=' +
  `&filter[inserted_at][greater_than]=${encodeURIComponent(new Date(headAt).toISOString())}`

/** Arrivals within this time are counted as one, so that a flood of items takes no memory. */
const TOGETHER_MS = 100
const MOST_ARRIVALS = 600

const withArrival = (arrivals: readonly Arrival[], { at, items }: Arrival): readonly Arrival[] => {
  const last = arrivals.at(-1)
  if (last !== undefined && (Math.abs(at - last.at) < TOGETHER_MS || arrivals.length >= MOST_ARRIVALS))
    return [...arrivals.slice(0, -1), { at: Math.max(at, last.at), items: last.items + items }]
  return [...arrivals, { at, items }]
}
