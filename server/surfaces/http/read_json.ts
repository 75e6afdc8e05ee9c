// Request bodies as JSON, by the strict reader: what was sent reads in one way only.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { StrictJsonError } from '../../../shared/proof/strict_json_error.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'

/**
 * Members of one object in a request: more than claims can have in all their bytes, and as many as are read in a few
 * milliseconds.
 */
export const MOST_MEMBERS = 16_384

/** @throws StrictJsonError */
export const readRequestJson = (body: string | Uint8Array): JsonValue =>
  readStrictJson(body, { maxMembers: MOST_MEMBERS })

/** @throws invalid_json with the reason of the strict reader */
export function readJson(body: Uint8Array): JsonValue {
  try {
    return readRequestJson(body)
  } catch (error) {
    throw error instanceof StrictJsonError ? invalidJson(error) : error
  }
}

export const invalidJson = ({ reason, offset }: StrictJsonError): Refusal =>
  refuse('invalid_json', {
    detail: `${REASONS[reason]} at offset ${offset}`,
    meta: { reason, ...(reason === 'too_many_members' ? { maximum: MOST_MEMBERS } : {}) },
  })

const REASONS: Readonly<Record<StrictJsonError['reason'], string>> = {
  syntax: 'not well-formed JSON',
  duplicate_member: 'a member name is there twice',
  unpaired_surrogate: 'an unpaired surrogate',
  invalid_utf8: 'not UTF-8',
  too_deep: 'nested too deeply',
  too_many_members: `an object of more than ${MOST_MEMBERS} members`,
  number_out_of_range: 'a number out of range',
}
