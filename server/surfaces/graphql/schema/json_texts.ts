// Parses the JSON texts of one request, each once. The code that weighs an argument and the code that uses it get the
// same value, so claims that were already written canonically for weighing are not written again.
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import { readRequestJson } from '../../http/read_json.ts'

/** Uses the strict reader, so that the hash covers exactly what was sent. @throws StrictJsonError */
export type ReadText = (text: string) => JsonValue

/** Create one per request. Two arguments with the same text share one value, so no code may change it. */
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
