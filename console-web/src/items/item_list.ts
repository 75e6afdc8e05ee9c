// Items as lists show them: without their claims, which may be large. Read from pages of the API, kept up to date by the
// stream, and merged into one list, newest first.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isJsonObject, objectAt, textAt } from '../data/json_object.ts'
import { newestFirst } from '../data/newest_first.ts'
import {
  type Page,
  type Resource,
  readIncluded,
  readPage,
  textOf,
  textOrNull,
  textsOf,
} from '../data/resource.ts'

export type ListedItem = {
  readonly id: string
  /** `created`, `committed` or `redacted`. */
  readonly state: string
  readonly visibility: string
  readonly tags: readonly string[]
  /** Null after redaction. */
  readonly name: string | null
  /** The digest that the item claims. Null without one, and after redaction. */
  readonly digest: string | null
  readonly blockId: string | null
  /** `committed` when a public chain carries the block. Null when there is no block. */
  readonly blockState: string | null
  readonly proofAvailableAt: string | null
  readonly insertedAt: string
  /**
   * Why the list would not have it any more: it was deleted, or the last read did not find it. The row stays,
   * so that nothing moves below the reader.
   */
  readonly left: 'deleted' | 'unlisted' | null
}

/** Also includes the state of the block, which changes before the item's own `proof_available_at` is written. */
export const LISTED_FIELDS =
  'include=block&fields[block]=state&fields[item]=state,visibility,tags,display_name,hash,block_id,proof_available_at,inserted_at'

/** @throws ApiFailure */
export const readListedPage = (document: JsonValue): Page<ListedItem> => {
  const states = new Map(readIncluded(document, 'block').map((block) => [block.id, textOf(block, 'state')]))
  return readPage((resource) => readListed(resource, states))(document)
}

const readListed = (resource: Resource, states: ReadonlyMap<string, string>): ListedItem => {
  const blockId = textOrNull(resource, 'block_id')
  return {
    id: resource.id,
    state: textOf(resource, 'state'),
    visibility: textOf(resource, 'visibility'),
    tags: textsOf(resource, 'tags'),
    name: textOrNull(resource, 'display_name'),
    digest: textOrNull(resource, 'hash'),
    blockId,
    blockState: blockId === null ? null : (states.get(blockId) ?? null),
    proofAvailableAt: textOrNull(resource, 'proof_available_at'),
    insertedAt: textOf(resource, 'inserted_at'),
    left: null,
  }
}

/** What an event says of an item. It has neither its name nor its claims. */
export type ItemNews = {
  readonly kind: string
  readonly id: string
  readonly state: string
  readonly visibility: string
  readonly tags: readonly string[]
  readonly blockId: string | null
  readonly insertedAt: string
}

/** Null when the event is another, or not readable. */
export const readItemNews = (kind: string, body: unknown): ItemNews | null => {
  const data = objectAt(body, 'data')
  const [id, state, visibility, insertedAt] = ['id', 'state', 'visibility', 'inserted_at'].map((name) =>
    textAt(data, name),
  )
  if (!kind.startsWith('item.') || !id || !state || !visibility || !insertedAt) return null
  const tags = isJsonObject(data) && Array.isArray(data.tags) ? data.tags : []
  return {
    kind,
    id,
    state,
    visibility,
    insertedAt,
    tags: tags.filter((one): one is string => typeof one === 'string'),
    blockId: textAt(data, 'block_id'),
  }
}

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
