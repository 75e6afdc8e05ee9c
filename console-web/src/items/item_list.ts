// The items that the page holds, newest first. Pure functions, tested without a browser.
import { newestFirst } from '../data/newest_first.ts'
import type { ItemNews, ListedItem } from './listed_item.ts'

/** Strictly descending by id, no id twice. The text order of ULIDs is the order of time. */
export type ItemList = readonly ListedItem[]

/** The most rows that a page holds. All of them are read again after a break of the connection. */
export const MAX_ROWS = 1_000

/**
 * Rows that were read just now, from the newest to the oldest of them. Held rows in that range that were not
 * read stay where they are, marked as not listed any more. Rows below `floor` are not touched; null when the
 * read reached the end of the list.
 */
export const mergeRead = (list: ItemList, read: ItemList, floor: string | null): ItemList => {
  const fresh = new Map(read.map((row) => [row.id, row]))
  const kept = list.map((row): ListedItem => {
    const now = fresh.get(row.id)
    if (now !== undefined) return same(row, now) ? row : now
    const wasLookedFor = floor === null || row.id >= floor
    return wasLookedFor && row.left === null ? { ...row, left: 'unlisted' } : row
  })
  const held = new Set(list.map(({ id }) => id))
  const added = read.filter(({ id }) => !held.has(id))
  if (added.length === 0 && kept.every((row, index) => row === list[index])) return list
  return [...kept, ...added].sort(newestFirst)
}

/** Changes rows in place. An item that the list does not hold has to be read: events do not carry its name. */
export const applyNews = (list: ItemList, news: ItemNews): ItemList =>
  changed(
    list,
    // A row that was read knows at least as much as the event of its creation.
    ({ id }) => id === news.id && news.kind !== 'item.created',
    (row) => {
      if (news.kind === 'item.deleted') return { ...row, left: 'deleted' }
      const isErased = news.kind === 'item.redacted'
      return {
        ...row,
        state: news.state,
        visibility: news.visibility,
        tags: news.tags,
        blockId: news.blockId ?? row.blockId,
        ...(isErased ? { name: null, digest: null } : {}),
      }
    },
  )

/** A public chain carries the block now. */
export const applyCarried = (list: ItemList, blockId: string): ItemList =>
  changed(
    list,
    (row) => row.blockId === blockId,
    (row) => ({ ...row, blockState: 'committed' }),
  )

const changed = (
  list: ItemList,
  concerns: (row: ListedItem) => boolean,
  change: (row: ListedItem) => ListedItem,
): ItemList => {
  if (!list.some(concerns)) return list
  return list.map((row) => (concerns(row) ? change(row) : row))
}

const same = (a: ListedItem, b: ListedItem): boolean => JSON.stringify(a) === JSON.stringify(b)
