// Parses request bodies with the strict JSON reader, which accepts only JSON with a single possible reading.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { StrictJsonError } from '../../../shared/proof/strict_json_error.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'

/**
 * The most members of one object in a request. Claims cannot have more within their bytes, and parsing this many
 * takes a few milliseconds.
 */
const MOST_MEMBERS = 16_384

/** Every media type that is JSON (RFC 6838 section 4.2.8). */
export const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i

/** @throws StrictJsonError */
export const readRequestJson = (body: string | Uint8Array): JsonValue =>
  readStrictJson(body, { maxMembers: MOST_MEMBERS })

/** @throws invalid_json with the strict reader's reason */
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
