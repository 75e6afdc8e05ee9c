// Reads the JSON files beside a copy of the log, and their members. What has another form is a RangeError.
import { isHex } from '../proof/bytes.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../proof/json_value.ts'
import { readStrictJson } from '../proof/strict_json.ts'
import { StrictJsonError } from '../proof/strict_json_error.ts'

export function objectIn(bytes: Uint8Array): JsonObject {
  try {
    return asObject(readStrictJson(bytes))
  } catch (error) {
    if (error instanceof StrictJsonError) throw new RangeError(error.message)
    throw error
  }
}

export function asObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new RangeError('not a JSON object')
  return value
}

export function textIn(object: JsonObject, name: string): string {
  const value = memberOf(object, name)
  if (typeof value !== 'string') throw new RangeError(`${name} is missing`)
  return value
}

export function countIn(object: JsonObject, name: string): number {
  const value = memberOf(object, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name} is not a count`)
  return value
}

export function hexIn(object: JsonObject, name: string, bytes?: number): string {
  const value = textIn(object, name)
  if (!isHex(value, bytes)) throw new RangeError(`${name} is not hex`)
  return value
}
