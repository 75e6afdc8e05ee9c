// The deliveries that the page holds, newest first. Pure, so that it can be tested without a browser.
import type { Delivery } from './delivery.ts'

export type DeliveryList = {
  /** Strictly descending by id (UUIDv7: text order is time order), no id twice. */
  readonly rows: readonly Delivery[]
  /** Rows were dropped at the older end, so paging on from the last known link would leave a hole. */
  readonly trimmed: boolean
}

export const MAX_ROWS = 5_000
export const emptyList: DeliveryList = { rows: [], trimmed: false }

export type MergeOptions = {
  readonly belongs: (delivery: Delivery) => boolean
  /** Below this id the server has more than is held: such a row is left out, or it would hide those between. */
  readonly floor?: string | null
  /** A list that is being read stands still: nothing leaves it. */
  readonly keep?: boolean
  readonly limit?: number
}

/** Of two reports about one delivery the later counts, in whatever order they arrive. */
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

/** A series only moves on; its clock may stand still between two steps, the count of its attempts does not go back. */
const isLater = (a: Delivery, b: Delivery): boolean => {
  if (a.attempts !== b.attempts) return a.attempts > b.attempts
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt
  return a.status !== 'pending' && b.status === 'pending'
}

export const newestFirst = (a: Delivery, b: Delivery): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

export const newerThan = (rows: readonly Delivery[], id: string): number => {
  const index = rows.findIndex((row) => row.id <= id)
  return index === -1 ? rows.length : index
}
