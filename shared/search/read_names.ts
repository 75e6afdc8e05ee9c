// What a pasted text can name: an id, a hash, a height, or a time as people write it, in UTC. The API is asked afterwards
// (find_named).
import { normalizeUlid, normalizeUuid7 } from '../proof/ids.ts'

export type Named =
  /** The ULID of an item. */
  | { readonly kind: 'item'; readonly id: string }
  /** The UUIDv7 of anything else. */
  | { readonly kind: 'id'; readonly id: string }
  /** The id of a webhook message, which all attempts of a delivery share. */
  | { readonly kind: 'message'; readonly id: string }
  /** 64 hex digits in lower case. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** A digest of another length. Only claims carry those. */
  | { readonly kind: 'digest'; readonly digest: string }
  | { readonly kind: 'height'; readonly height: number }
  /** A moment, or the span of time from `from` until before `until`. */
  | NamedTime

/** Longer texts are not searched for names. */
const LONGEST_TEXT = 2_000
/** A text that names more is no name. */
const MOST_NAMES = 4

/** Empty when the text names nothing. `now` is for times such as `yesterday`. All times are UTC. */
export const readNames = (text: string, now: number): readonly Named[] => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > LONGEST_TEXT) return []
  const whole = readHeight(trimmed)
  const time = readTime(trimmed, now)
  const spans: Named[] = [...(whole === null ? [] : [whole]), ...(time === null ? [] : [time])]
  if (spans.length > 0) return spans
  return idsIn(trimmed)
}

/** The ids and hashes in any text, such as an address or a line of a log. */
const idsIn = (text: string): readonly Named[] => {
  const found = new Map<string, Named>()
  for (const [word] of text.matchAll(WORDS)) {
    const named = readWord(word)
    if (named !== null) found.set(JSON.stringify(named), named)
    if (found.size === MOST_NAMES) break
  }
  return [...found.values()]
}

const WORDS = /[0-9A-Za-z_-]{26,}/g

const readWord = (word: string): Named | null => {
  const message = /^msg_(.+)$/.exec(word)?.[1]
  if (message !== undefined) {
    const id = normalizeUlid(message)
    return id === undefined ? null : { kind: 'message', id: `msg_${id}` }
  }
  const ulid = normalizeUlid(word)
  if (ulid !== undefined) return { kind: 'item', id: ulid }
  const uuid = normalizeUuid7(word)
  if (uuid !== undefined) return { kind: 'id', id: uuid }
  if (!/^[0-9a-fA-F]+$/.test(word)) return null
  const hex = word.toLowerCase()
  if (hex.length === 64) return { kind: 'hash', hash: hex }
  return DIGEST_LENGTHS.has(hex.length) ? { kind: 'digest', digest: hex } : null
}

/** Hex digits of the digests that claims may carry besides those of 32 bytes. */
const DIGEST_LENGTHS: ReadonlySet<number> = new Set([32, 40, 56, 96, 128])

/** Heights are 32-bit numbers on the server. Commas and spaces may group the digits, as the console writes them. */
const readHeight = (text: string): Named | null => {
  const digits = /^(?:block|height|beacon)?\s*#?\s*(\d{1,3}(?:[ ,]\d{3})+|\d+)$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const height = Number(digits.replaceAll(/[ ,]/g, ''))
  return height < 2 ** 31 ? { kind: 'height', height } : null
}

type NamedTime = { readonly kind: 'time'; readonly from: number; readonly until: number | null }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Before this there was no chain, so a number is no time. */
const EARLIEST = Date.UTC(2020, 0, 1)

/** Null for a text that is no time, or a time after `now`. */
export const readTime = (text: string, now: number): NamedTime | null => {
  const time = readRelative(text, now) ?? readNumber(text) ?? readClock(text, now) ?? readDate(text)
  return time === null || time.from > now ? null : { kind: 'time', ...time }
}

type Span = Pick<NamedTime, 'from' | 'until'>

const spanOf = (from: number, lengthMs: number): Span => ({ from, until: from + lengthMs })

/** `today`, `yesterday 14:02`, `2 days ago`, `90 min ago`. */
const readRelative = (text: string, now: number): Span | null => {
  const ago = /^(\d{1,6})\s*([a-z]+)\s+ago$/i.exec(text)
  const unit = UNITS.get(ago?.[2]?.toLowerCase() ?? '')
  if (unit !== undefined) {
    const at = now - Number(ago?.[1]) * unit
    return unit === DAY ? spanOf(dayOf(at), DAY) : { from: at, until: null }
  }
  const day = /^(today|yesterday)(?:[ ,]+(?:at )?(.+))?$/i.exec(text)
  if (day === null) return null
  const start = dayOf(now) - (day[1]?.toLowerCase() === 'yesterday' ? DAY : 0)
  return day[2] === undefined ? spanOf(start, DAY) : atClock(start, day[2])
}

const UNITS = new Map([
  ...['s', 'sec', 'second', 'seconds'].map((name) => [name, SECOND] as const),
  ...['m', 'min', 'minute', 'minutes'].map((name) => [name, MINUTE] as const),
  ...['h', 'hour', 'hours'].map((name) => [name, HOUR] as const),
  ...['d', 'day', 'days'].map((name) => [name, DAY] as const),
])

/** Seconds or milliseconds since 1970. */
const readNumber = (text: string): Span | null => {
  if (!/^(\d{10}|\d{13})$/.test(text)) return null
  const from = text.length === 10 ? Number(text) * SECOND : Number(text)
  return from < EARLIEST ? null : { from, until: null }
}

/** `14:02`: today, or yesterday when today's is still to come. */
const readClock = (text: string, now: number): Span | null => {
  const today = atClock(dayOf(now), text)
  return today === null || today.from <= now ? today : atClock(dayOf(now) - DAY, text)
}

/** Precise to the minute, the second or the millisecond, and a span of that length. */
const atClock = (day: number, text: string): Span | null => {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?(?: ?UTC| ?Z)?$/i.exec(text)
  if (parts === null) return null
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1, 4).map((part) => Number(part ?? 0))
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  const ms = Number((parts[4] ?? '').padEnd(3, '0'))
  const from = day + hours * HOUR + minutes * MINUTE + seconds * SECOND + ms
  if (parts[4] !== undefined) return { from, until: null }
  return spanOf(from, parts[3] === undefined ? MINUTE : SECOND)
}

/** ISO 8601 with any offset, or a date with or without a time. */
const readDate = (text: string): Span | null => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+))?$/.exec(text)
  if (parts === null) return null
  const [, year, month, date, rest] = parts
  const day = Date.parse(`${year}-${month}-${date}T00:00:00Z`)
  // The parser takes the 31st of a month with 30 days for the first of the next.
  if (Number.isNaN(day) || new Date(day).getUTCDate() !== Number(date)) return null
  if (rest === undefined) return spanOf(day, DAY)
  const offset = /^(.*?)\s*([+-])(\d{2}):?(\d{2})$/.exec(rest)
  if (offset === null) return atClock(day, rest)
  const shift = (Number(offset[3]) * HOUR + Number(offset[4]) * MINUTE) * (offset[2] === '-' ? -1 : 1)
  return atClock(day - shift, offset[1] ?? '')
}

const dayOf = (time: number): number => Math.floor(time / DAY) * DAY
