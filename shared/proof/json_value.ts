// The JSON values that the strict reader returns: integers that a double cannot hold exactly are bigint.

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

/** Adds a member of any name. Assigning to `__proto__` would change the prototype instead. */
export function setMember<T>(object: { [name: string]: T }, name: string, value: T): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
