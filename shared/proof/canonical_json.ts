// Canonical JSON text, `JCS(v)` (RFC 8785), with one extension: a bigint prints its exact digits. Its least size is
// found without writing it.
import type { JsonObject, JsonValue } from './json_value.ts'

/**
 * The one text of `value` that is hashed (its UTF-8 bytes). Names are sorted by UTF-16 code units, numbers
 * are as in ECMAScript (`-0` is `0`, `1e21` is `1e+21`), escapes are the shortest, no white space. Null
 * members are kept. Recurses once per level of nesting; the depth limit of the strict reader keeps this far
 * below the stack's limit.
 * @throws RangeError for values JSON does not have: NaN, infinities, unpaired surrogates, undefined,
 * functions, symbols
 */
export function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value)
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError(`${value} is not a JSON number`)
      return String(value) // String(-0) is '0', and both follow ECMA-262 Number::toString
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value)
    default:
      throw new RangeError(`${typeof value} is not a JSON value`)
  }
}

function canonicalArray(values: JsonValue[]): string {
  let text = ''
  for (const value of values) text += `${text === '' ? '' : ','}${canonicalJson(value)}`
  return `[${text}]`
}

/** Reads own members only, so a member called `__proto__` is an ordinary name. */
function canonicalObject(object: JsonObject): string {
  let text = ''
  for (const name of Object.keys(object).sort()) {
    const value = object[name]
    if (value === undefined) throw new RangeError('undefined is not a JSON value')
    text += `${text === '' ? '' : ','}${canonicalString(name)}:${canonicalJson(value)}`
  }
  return `{${text}}`
}

/**
 * JSON.stringify escapes exactly what RFC 8785 section 3.2.2.2 requires, provided there are no unpaired
 * surrogates.
 */
function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('unpaired surrogate in a JSON string')
  return JSON.stringify(text)
}

/** Bytes of `"":0` and a comma. No member takes fewer. */
export const SHORTEST_MEMBER = 5

/**
 * True when every spelling of the value is longer than `bytes`. A text counts as its UTF-16 code units,
 * because each takes at least one byte. Stops as soon as the answer is certain. Recurses once per level, like
 * the strict reader.
 */
export const isLargerThan = (value: JsonValue, bytes: number): boolean => roomLeft(value, bytes) < 0

/** The bytes that are left. Below zero when they are not enough; the value is then not exact. */
function roomLeft(value: JsonValue, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length - 2
  if (typeof value !== 'object' || value === null) return bytes - 1
  let room = bytes - 2
  if (Array.isArray(value)) {
    room -= Math.max(0, value.length - 1)
    for (const one of value) {
      if (room < 0) return room
      room = roomLeft(one, room)
    }
    return room
  }
  let first = true
  for (const name in value) {
    if (room < 0) return room
    const member = value[name]
    if (member !== undefined) room = roomLeft(member, room - name.length - (first ? 3 : 4))
    first = false
  }
  return room
}
