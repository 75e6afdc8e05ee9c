// The items of the team that wait for the next block: counted by the service, and then by what the stream tells of them.
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/shape.ts'
import type { Store } from '../data/store.ts'
import type { FollowPorts } from '../data/stream/live_events.ts'
import type { Tile } from './tile.ts'

type WaitingParts = FollowPorts & { readonly clockOffset: Store<number> }

type Arrival = { readonly at: number; readonly items: number }

/** Between two counts, because events that come all the time would otherwise ask all the time. */
const APART_MS = 1_000

/** Follows the items until `end` is called. */
export const followWaiting = ({ api, live, clockOffset }: WaitingParts) => {
  const lifetime = new AbortController()
  const { signal } = lifetime
  let head: Tile | undefined
  let isOpen = false
  /** Submitted since the newest block, oldest first. Null until they were counted. */
  let arrivals: readonly Arrival[] | null = null
  /** When the last count was answered, in milliseconds of the service's clock. */
  let countedAt = 0
  let isCounting = false
  let isWanted = false
  let changes = 0

  const itemsNow = (): number | null => arrivals?.reduce((sum, { items }) => sum + items, 0) ?? null

  const ask = async (from: Tile): Promise<void> => {
    const document = await api.get(countPath(from.at), signal)
    const items = numberAt(isJsonObject(document) ? objectAt(document.meta, 'page') : null, 'total')
    // A block that came meanwhile holds some of them.
    if (head !== from) isWanted = true
    else if (items !== null) {
      countedAt = Date.now() + clockOffset.read()
      arrivals = [{ at: countedAt, items }]
    }
  }

  /** One request at a time. Wanted meanwhile, it is made once more. Retried until it succeeds. */
  const count = async (): Promise<void> => {
    isWanted = true
    // They are counted from the newest block on, and when no item is missed any more.
    if (isCounting || !isOpen || head === undefined) return
    isCounting = true
    let failures = 0
    while (isWanted && !signal.aborted) {
      isWanted = false
      try {
        await ask(head)
        failures = 0
        if (isWanted) await pause(APART_MS, signal)
      } catch (error) {
        failures += 1
        isWanted = true
        await pause(waitAfter(failures, error), signal)
      }
    }
    isCounting = false
  }

  const heard = (event: string, body: unknown): void => {
    const isBurst = event === 'items.burst'
    if (event === 'item.redacted' || event === 'item.deleted') changes += 1
    if (!isBurst && event !== 'item.created') return
    const items = isBurst ? (numberAt(objectAt(body, 'by_kind'), 'item.created') ?? 0) : 1
    const at = Date.parse(textAt(body, isBurst ? 'last_at' : 'at') ?? '')
    if (items === 0 || Number.isNaN(at)) return
    const from = isBurst ? Date.parse(textAt(body, 'first_at') ?? '') : at
    // An event may come long after its item, so that the last count has it already; and the count under way may have been
    // made before it.
    if (arrivals === null || isCounting || !(from > countedAt)) void count()
    else arrivals = withArrival(arrivals, { at, items })
  }

  const unfollow = live.follow('items', {
    opened: () => {
      isOpen = true
      // What was read before the first connection is new enough.
      if (arrivals !== null) changes += 1
      void count()
    },
    closed: () => {
      isOpen = false
    },
    heard,
  })

  return {
    /** Null until they were counted. */
    items: itemsNow,
    /** Another number whenever the team's items in blocks may be others. */
    changes: () => changes,
    /** Call when another block is the newest: it holds what waited. */
    blockCame: (newest: Tile): void => {
      head = newest
      if ((itemsNow() ?? 0) > 0) changes += 1
      arrivals = arrivals?.filter(({ at }) => at > newest.at) ?? null
      if (arrivals === null) void count()
    },
    end: (): void => {
      unfollow()
      lifetime.abort()
    },
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
