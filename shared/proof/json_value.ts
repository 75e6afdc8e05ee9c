// The JSON values that the strict reader returns: integers that a double cannot hold exactly are bigint. And their
// canonical text, `JCS(v)` (RFC 8785), where a bigint prints its exact digits; its least size is found without writing it.

export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject

/**
 * A plain object. Names are data: read members with `memberOf`, because `value.constructor` always exists.
 */
export interface JsonObject {
  [name: string]: JsonValue
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object's own member, never an inherited one. Undefined when absent. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The member, when the value is an object that has it. */
export const memberAt = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? memberOf(value, name) : undefined

/** The member, when the value is an object that has it and it is text. */
export const textAt = (value: JsonValue | undefined, name: string): string | undefined => {
  const member = memberAt(value, name)
  return typeof member === 'string' ? member : undefined
}

/** Adds a member of any name. Assigning to `__proto__` would change the prototype instead. */
export function setMember<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

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
