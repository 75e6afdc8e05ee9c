// What a pasted text can name: an id, a hash, a height or a time. The API is asked afterwards (find_named).
import { normalizeUlid, normalizeUuid7 } from '../proof/ids.ts'
import { readTime } from './read_time.ts'

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
  | { readonly kind: 'time'; readonly from: number; readonly until: number | null }

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
