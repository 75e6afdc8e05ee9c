// Request bodies as JSON, by the strict reader: what was sent reads in one way only.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../../shared/proof/strict_json.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'

/** @throws invalid_json with the reason of the strict reader */
export function readJson(body: Uint8Array): JsonValue {
  try {
    return readStrictJson(body)
  } catch (error) {
    throw error instanceof StrictJsonError ? invalidJson(error) : error
  }
}

export const invalidJson = ({ reason, offset }: StrictJsonError): Refusal =>
  refuse('invalid_json', { detail: `${REASONS[reason]} at offset ${offset}`, meta: { reason } })

const REASONS: Readonly<Record<StrictJsonError['reason'], string>> = {
  syntax: 'not well-formed JSON',
  duplicate_member: 'a member name is there twice',
  unpaired_surrogate: 'an unpaired surrogate',
  invalid_utf8: 'not UTF-8',
  too_deep: 'nested too deeply',
  number_out_of_range: 'a number out of range',
}
