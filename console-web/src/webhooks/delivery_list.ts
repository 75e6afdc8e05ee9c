// The list of deliveries in memory, newest first. Pure functions, tested without a browser.
import { newestFirst } from '../data/newest_first.ts'
import type { Delivery } from './delivery.ts'

export type DeliveryList = {
  /** Strictly descending by id, no id twice. The text order of UUIDv7 is the order of time. */
  readonly rows: readonly Delivery[]
  /**
   * True when rows were dropped at the older end. Older pages then cannot be appended, because rows between
   * would be missing.
   */
  readonly trimmed: boolean
}

export const MAX_ROWS = 5_000
export const emptyList: DeliveryList = { rows: [], trimmed: false }

export type MergeOptions = {
  readonly belongs: (delivery: Delivery) => boolean
  /** Rows below this id are left out, because the server has rows in between that the list does not have. */
  readonly floor?: string | null
  /** True while the list is paused: no row leaves it. */
  readonly keep?: boolean
  readonly limit?: number
}

/** Of two reports about one delivery, the later one counts, in whatever order they arrive. */
export const mergeDeliveries = (
  list: DeliveryList,
  incoming: readonly Delivery[],
  { belongs, floor = null, keep = false, limit = MAX_ROWS }: MergeOptions,
): DeliveryList => {
  const held = new Map(list.rows.map((row) => [row.id, row]))
  let changed = false
  for (const delivery of incoming) {
    const known = held.get(delivery.id)
    if (known !== undefined && !isLater(delivery, known)) continue
    if (known === undefined && floor !== null && delivery.id < floor) continue
    if (belongs(delivery) || (keep && known !== undefined)) held.set(delivery.id, delivery)
    else if (!held.delete(delivery.id)) continue
    changed = true
  }
  if (!changed) return list
  const rows = [...held.values()].sort(newestFirst)
  return { rows: rows.slice(0, limit), trimmed: list.trimmed || rows.length > limit }
}

/**
 * The number of attempts decides first, because it never decreases while the clock may be the same in two
 * steps.
 */
const isLater = (a: Delivery, b: Delivery): boolean => {
  if (a.attempts !== b.attempts) return a.attempts > b.attempts
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt
  return a.status !== 'pending' && b.status === 'pending'
}
