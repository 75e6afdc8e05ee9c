// The JSON texts of one request. Each is read once: what weighs an argument and what takes it see the same value, so
// that claims which were weighed are not written canonically again.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readRequestJson } from '../http/read_json.ts'

/** By the strict reader: what is hashed is what was sent. @throws StrictJsonError */
export type ReadText = (text: string) => JsonValue

/** One per request. Two arguments with the same text share its value, which nobody may change. */
export function readEachOnce(read: ReadText = readRequestJson): ReadText {
  const known = new Map<string, JsonValue>()
  return (text) => {
    const seen = known.get(text)
    if (seen !== undefined) return seen
    const value = read(text)
    known.set(text, value)
    return value
  }
}
