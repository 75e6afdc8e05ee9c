// Stored JSON text, read back: only the one spelling that is hashed counts as JSON here.
import { canonicalJson } from '../../../../shared/proof/canonical_json.ts'
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../../shared/proof/strict_json.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json_error.ts'

/** Undefined when the text is not JSON, or not its canonical spelling. */
export function readCanonical(text: string): JsonValue | undefined {
  try {
    const value = readStrictJson(text)
    return canonicalJson(value) === text ? value : undefined
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}
