// The live list of items, and its filter in three forms: in the address, in requests, and as a judgement on events.
import { HASH_TYPES } from '../../../shared/proof/claims.ts'
import { normalizeUlid } from '../../../shared/proof/ids.ts'
import { itemStage, stageWords } from '../commitments/proof_stage.ts'
import { insertedIn, isWithin, minute, pathWith, saidIn, word } from '../data/list_filter.ts'
import { objectAt, oneOf, shape, text, textAt, textOrNull, texts } from '../data/shape.ts'
import type { ListRules } from '../data/stream/list_rules.ts'
import { liveListOf } from '../data/stream/use_live_list.ts'
import { AUDIENCES, LISTED_FIELDS, type ListedItem, readListedPage } from './item.ts'

export const STATES = ['created', 'committed', 'redacted'] as const

/** The API has one state for what is in a block, also once a chain carries that. */
export const stateWords = (state: (typeof STATES)[number]): string =>
  stageWords(itemStage({ state })) + (state === 'committed' ? `, or ${stageWords('ready')}` : '')

const LONGEST = { tag: 64, text: 128 } as const

const readFields = shape({
  state: oneOf(STATES),
  tag: word(LONGEST.tag),
  visibility: oneOf(AUDIENCES),
  from: minute,
  to: minute,
  /** A part of the name, a digest, or an id. */
  text: word(LONGEST.text),
  /** The text is the whole name, which the service finds at once among any number of items. */
  whole: oneOf(['yes']),
})

export type ItemFilter = ReturnType<typeof readFields>

/** Ignores values in the address that are not valid. */
export const readFilter = (search: string): ItemFilter => {
  const filter = readFields(saidIn(search))
  return filter.text === null ? { ...filter, whole: null } : filter
}

export const NO_FILTER = readFilter('')

export const addressOf = (filter: ItemFilter): string => pathWith('/items', filter)

/**
 * What to ask for. A digest of 64 characters may be that of a file, of an item or of its claims, and each is
 * found by an index of its own, so it takes three requests.
 */
export const requestsOf = (filter: ItemFilter, limit: number): readonly string[] => {
  const { state, tag, visibility, text, whole } = filter
  const request = (more: Readonly<Record<string, string>> = {}): string =>
    pathWith('/api/json/items', {
      'page[limit]': String(limit),
      'filter[state]': state,
      'filter[tags][has]': tag,
      'filter[visibility]': visibility,
      ...insertedIn(filter),
      ...more,
      ...LISTED_FIELDS,
    })
  if (text === null) return [request()]
  const id = idIn(text)
  if (id !== null) return [request({ 'filter[id]': id })]
  const digest = digestIn(text)
  if (digest === null) return [request({ [`filter[display_name]${whole ? '' : '[contains]'}`]: text })]
  const members = digest.length === 64 ? ['hash', 'item_hash', 'claims_hash'] : ['hash']
  return members.map((member) => request({ [`filter[${member}]`]: digest }))
}

/** The text as the id of an item. Null when it is none. */
export const idIn = (text: string): string | null => normalizeUlid(text.trim()) ?? null

/** The text as a digest, in lowercase. Null when it has not the length of one: the service would refuse it. */
export const digestIn = (text: string): string | null => {
  const hex = text.trim().toLowerCase()
  return /^[0-9a-f]+$/.test(hex) && LENGTHS.has(hex.length) ? hex : null
}

const LENGTHS: ReadonlySet<number> = new Set(Object.values(HASH_TYPES))

/** Looks through the names of many items, so it is asked for by the person only, not at each event. */
export const isCostly = ({ text, whole }: ItemFilter): boolean =>
  text !== null && whole === null && (idIn(text) ?? digestIn(text)) === null

/** What an event says of an item. It has neither its name nor its claims. */
export const readItemNews = shape({
  id: text,
  state: text,
  visibility: text,
  tags: texts,
  blockId: textOrNull,
  insertedAt: text,
})
type ItemNews = ReturnType<typeof readItemNews>

/** Changes rows in place. An item that the list does not hold has to be read: events do not carry its name. */
export const applyNews = (rows: readonly ListedItem[], kind: string, news: ItemNews): readonly ListedItem[] =>
  rows.map((row) => {
    // A row that was read knows at least as much as the event of its creation.
    if (row.id !== news.id || kind === 'item.created') return row
    if (kind === 'item.deleted') return { ...row, left: 'deleted' }
    const { insertedAt: _, ...now } = { ...news, blockId: news.blockId ?? row.blockId }
    return { ...row, ...now, ...(kind === 'item.redacted' ? { name: null, digest: null } : {}) }
  })

/** A public chain carries the block now. */
export const applyCarried = (rows: readonly ListedItem[], blockId: string): readonly ListedItem[] =>
  rows.map((row) => (row.blockId === blockId ? { ...row, blockState: 'committed' } : row))

/** Whether an item of this event may be in the list. Its name is not in the event, so the service decides. */
export const mayFit = (filter: ItemFilter, news: ItemNews): boolean =>
  (filter.state === null || news.state === filter.state) &&
  (filter.tag === null || news.tags.includes(filter.tag)) &&
  (filter.visibility === null || news.visibility === filter.visibility) &&
  isWithin(filter, news.insertedAt)

/** The most rows that a page holds. */
export const MAX_ROWS = 1_000

export const itemsOf = (filter: ItemFilter): ListRules<ListedItem> => ({
  paths: (limit) => requestsOf(filter, limit),
  page: readListedPage,
  most: MAX_ROWS,
  fits: () => true,
  missed: (row) => (row.left === null ? { ...row, left: 'unlisted' } : row),
  isCostly: isCostly(filter),
  streams: ['items', 'blocks'],
  heard: (event, body, rows) => {
    const blockId = textAt(objectAt(body, 'data'), 'id')
    if (event === 'block.committed' && blockId !== null)
      return { change: (now) => applyCarried(now, blockId) }
    if (event.startsWith('block.')) return {}
    // A burst gives only a number.
    if (!event.startsWith('item.')) return { read: 'all' }
    const news = readItemNews(objectAt(body, 'data'))
    const change = (now: readonly ListedItem[]) => applyNews(now, event, news)
    const isHere = rows.some(({ id }) => id === news.id)
    if (isHere) return event === 'item.unredacted' ? { change, read: 'all' } : { change }
    const isNew = event === 'item.created' || !isCostly(filter)
    return isNew && mayFit(filter, news) ? { change, read: 'newer' } : { change }
  },
})

export const useItems = liveListOf(itemsOf, addressOf)
