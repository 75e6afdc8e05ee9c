// Strict decoders of carried members, and how the members are displayed. A decoder returns undefined for
// every spelling but the one allowed.
import type { Carried } from '../bundle/bundle_parts.ts'
import {
  bytesEqual,
  fromBase64,
  fromBase64Url,
  fromHex,
  hexOrUndefined,
  readOrUndefined,
  toHex,
} from '../bytes.ts'
import { instantMs } from '../instant.ts'

/** Lowercase hex of exactly `size` bytes. */
export function hexBytes(value: Carried, size: number): Uint8Array | undefined {
  return typeof value === 'string' && value.length === 2 * size ? hexOrUndefined(value) : undefined
}

/** Padded base64 of exactly `size` bytes. */
export function base64Bytes(value: Carried, size: number): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length !== 4 * Math.ceil(size / 3)) return undefined
  const bytes = readOrUndefined(() => fromBase64(value))
  return bytes?.length === size ? bytes : undefined
}

/**
 * The bytes of text that is hex when it looks like hex, otherwise base64url.
 * @throws RangeError when it is neither
 */
export function hexOrBase64Url(text: string): Uint8Array {
  const isHexText = text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text)
  return isHexText ? fromHex(text.toLowerCase()) : fromBase64Url(text)
}

/** Takes constant time. False when either side is missing. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && bytesEqual(a, b)
}

export function textOf(value: Carried): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function integerOf(value: Carried): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/** Milliseconds since 1970 of an RFC 3339 time, in either case. */
export function momentOf(value: Carried): number | undefined {
  return typeof value === 'string' ? instantMs(value.toUpperCase()) : undefined
}

/** Whether two times are in the same second. False when either is missing. */
export function sameSecond(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.floor(a / 1000) === Math.floor(b / 1000)
}

/** `2027-01-01T00:01:40Z`. Undefined outside the years 0 to 9999, which that form cannot express. */
export function utcSeconds(ms: number | undefined): string | undefined {
  if (ms === undefined || ms < EARLIEST_MS || ms > LATEST_MS) return undefined
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** The value as text for messages. Always short, whatever the bundle holds. */
export function shown(value: Carried | Uint8Array): string {
  if (value instanceof Uint8Array) return toHex(value)
  if (typeof value !== 'string') return value === undefined ? 'nothing' : `a ${kindOf(value)}`
  if (value === '') return 'an empty text'
  return value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN).toWellFormed()}…`
}

const MOST_SHOWN = 80
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function kindOf(value: Exclude<Carried, undefined | string>): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'map'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}
