// Reads stored JSON text. Only the canonical spelling is accepted, because that spelling is hashed.
import { canonicalJson } from '../proof/canonical_json.ts'
import type { JsonValue } from '../proof/json_value.ts'
import { readStrictJson } from '../proof/strict_json.ts'
import { StrictJsonError } from '../proof/strict_json_error.ts'

/** Returns undefined when the text is not JSON or is not in canonical spelling. */
export function readCanonical(text: string): JsonValue | undefined {
  try {
    const value = readStrictJson(text)
    return canonicalJson(value) === text ? value : undefined
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}
