// Canonical JSON text, `JCS(v)` (RFC 8785), with one extension: a bigint prints its exact digits.
import type { JsonObject, JsonValue } from './json_value.ts'

/**
 * The one spelling of `value` that gets hashed: names sorted by UTF-16 code units, ECMAScript numbers (`-0` is `0`,
 * `1e21` is `1e+21`), shortest escapes, no white space. Null members stay. Hash its UTF-8 bytes.
 * RangeError on what JSON cannot say: NaN and infinities, unpaired surrogates, undefined, functions, symbols.
 * Recurses once per level of nesting; whatever the strict reader let through is far from the stack's end.
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

/** Own members only, so a member called `__proto__` is a name like any other. */
function canonicalObject(object: JsonObject): string {
  let text = ''
  for (const name of Object.keys(object).sort()) {
    const value = object[name]
    if (value === undefined) throw new RangeError('undefined is not a JSON value')
    text += `${text === '' ? '' : ','}${canonicalString(name)}:${canonicalJson(value)}`
  }
  return `{${text}}`
}

/** JSON.stringify escapes exactly what RFC 8785 section 3.2.2.2 asks for, once unpaired surrogates are excluded. */
function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('unpaired surrogate in a JSON string')
  return JSON.stringify(text)
}
