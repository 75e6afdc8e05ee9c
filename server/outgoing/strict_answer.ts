// Reads JSON answers of other services by closed rules. A member of the wrong form is an error and is never guessed.
import { instantMs } from '../../shared/proof/instant.ts'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../shared/proof/strict_json.ts'

/** The answer has the wrong form. The message names a member and repeats no content of the answer. */
export class AnswerWrong extends Error {
  override readonly name = 'AnswerWrong'
}

/** @throws AnswerWrong when the body is not one strict JSON object */
export function objectOf(body: Uint8Array): JsonObject {
  try {
    return asObject(readStrictJson(body), 'the answer')
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    throw new AnswerWrong(`the answer is refused: ${error.message}`, { cause: error })
  }
}

export const objectMember = (object: JsonObject, name: string): JsonObject =>
  asObject(memberOf(object, name), name)

/** The only element of a list. */
export function onlyElement(object: JsonObject, name: string): JsonObject {
  const list = memberOf(object, name)
  if (!Array.isArray(list) || list.length !== 1) throw wrong(name, 'a list of one')
  return asObject(list[0], name)
}

/** A whole number from 0 that a double holds exactly. */
export function countMember(object: JsonObject, name: string): number {
  const value = memberOf(object, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw wrong(name, 'a whole number from 0 to 2^53 - 1')
  return value
}

export function textMember(object: JsonObject, name: string, pattern: RegExp): string {
  const value = memberOf(object, name)
  if (typeof value !== 'string' || !pattern.test(value)) throw wrong(name, `a text like ${pattern.source}`)
  return value
}

export function booleanMember(object: JsonObject, name: string): boolean {
  const value = memberOf(object, name)
  if (typeof value !== 'boolean') throw wrong(name, 'true or false')
  return value
}

/** A time, with the text that it was printed as. */
export function instantMember(object: JsonObject, name: string): { text: string; at: Date } {
  const text = memberOf(object, name)
  const ms = typeof text === 'string' && text.length <= LONGEST_INSTANT ? instantMs(text) : undefined
  if (typeof text !== 'string' || ms === undefined) throw wrong(name, 'a moment in ISO 8601')
  return { text, at: new Date(ms) }
}

/** Nine digits of a second, with an offset. */
const LONGEST_INSTANT = '2027-01-01T00:00:00.000000000+00:00'.length

/** 32 bytes in the form that the public chains' APIs print. */
export const HASH = /^[0-9a-f]{64}$/

function asObject(value: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) throw wrong(name, 'an object')
  return value
}

const wrong = (name: string, rule: string): AnswerWrong => new AnswerWrong(`${name} is not ${rule}`)
