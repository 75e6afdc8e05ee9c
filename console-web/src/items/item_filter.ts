// The filter of the list of items, in three forms: in the address, in requests, and as a judgement on events.
import { HASH_TYPES, isHashType } from '../../../shared/proof/claims.ts'
import { endOfMinute, readMinute, startOfMinute } from '../data/minute.ts'
import { type ItemNews, LISTED_FIELDS } from './item_list.ts'

export const STATES = ['created', 'committed', 'redacted'] as const
export const AUDIENCES = ['private', 'team', 'public'] as const

export type ItemFilter = {
  readonly state: (typeof STATES)[number] | null
  readonly tag: string | null
  readonly visibility: (typeof AUDIENCES)[number] | null
  /** Minutes in UTC in the form of a time field, `2027-01-01T00:01`. Both are inclusive. */
  readonly from: string | null
  readonly to: string | null
  /** A part of the name, or a digest. */
  readonly text: string | null
  /** The text is the whole name, which the service finds at once among any number of items. */
  readonly whole: boolean
}

export const NO_FILTER: ItemFilter = {
  state: null,
  tag: null,
  visibility: null,
  from: null,
  to: null,
  text: null,
  whole: false,
}

const PAGE = '/items'
const LONGEST = { tag: 64, text: 128 } as const

/** Ignores values in the address that are not valid. */
export const readFilter = (search: string): ItemFilter => {
  const given = new URLSearchParams(search)
  const word = (name: string, longest: number): string | null =>
    given.get(name)?.replaceAll('\0', '').slice(0, longest) || null
  const text = word('text', LONGEST.text)
  return {
    state: STATES.find((one) => one === given.get('state')) ?? null,
    tag: word('tag', LONGEST.tag),
    visibility: AUDIENCES.find((one) => one === given.get('visibility')) ?? null,
    from: readMinute(given.get('from')),
    to: readMinute(given.get('to')),
    text,
    whole: text !== null && given.get('whole') === 'yes',
  }
}

export const addressOf = ({ whole, ...filter }: ItemFilter): string => {
  const said = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== null) said.set(name, value)
  if (whole && filter.text !== null) said.set('whole', 'yes')
  const text = said.toString()
  return text === '' ? PAGE : `${PAGE}?${text}`
}

export const isNarrowed = (filter: ItemFilter): boolean => addressOf(filter) !== PAGE

/**
 * What to ask for. A digest of 64 characters may be that of a file, of an item or of its claims, and each is
 * found by an index of its own, so it takes three requests.
 */
export const requestsOf = (filter: ItemFilter, limit: number): readonly string[] => {
  const { state, tag, visibility, from, to, text, whole } = filter
  const asked = new URLSearchParams({ 'page[limit]': String(limit) })
  if (state !== null) asked.set('filter[state]', state)
  if (tag !== null) asked.set('filter[tags][has]', tag)
  if (visibility !== null) asked.set('filter[visibility]', visibility)
  if (from !== null) asked.set('filter[inserted_at][gte]', startOfMinute(from))
  if (to !== null) asked.set('filter[inserted_at][lt]', endOfMinute(to))
  const request = (more: Readonly<Record<string, string>> = {}): string =>
    `/api/json/items?${new URLSearchParams([...asked, ...Object.entries(more)])}&${LISTED_FIELDS}`
  if (text === null) return [request()]
  const digest = digestIn(text)
  if (digest === null) return [request({ [`filter[display_name]${whole ? '' : '[contains]'}`]: text })]
  const members = digest.length === 64 ? ['hash', 'item_hash', 'claims_hash'] : ['hash']
  return members.map((member) => request({ [`filter[${member}]`]: digest }))
}

/** The text as a digest, in lowercase. Null when it has not the length of one: the service would refuse it. */
export const digestIn = (text: string): string | null => {
  const hex = text.trim().toLowerCase()
  return /^[0-9a-f]+$/.test(hex) && LENGTHS.has(hex.length) ? hex : null
}

const LENGTHS: ReadonlySet<number> = new Set(
  Object.keys(HASH_TYPES)
    .filter(isHashType)
    .map((name) => HASH_TYPES[name]),
)

/** Looks through the names of many items, so it is asked for by the person only, not at each event. */
export const isCostly = ({ text, whole }: ItemFilter): boolean =>
  text !== null && !whole && digestIn(text) === null

/** Whether an item of this event may be in the list. Its name is not in the event, so the service decides. */
export const mayFit = ({ state, tag, visibility, from, to }: ItemFilter, news: ItemNews): boolean =>
  (state === null || news.state === state) &&
  (tag === null || news.tags.includes(tag)) &&
  (visibility === null || news.visibility === visibility) &&
  (from === null || news.insertedAt >= startOfMinute(from)) &&
  (to === null || news.insertedAt < endOfMinute(to))
