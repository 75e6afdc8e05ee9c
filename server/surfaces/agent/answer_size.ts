// The size of a tool's result. It is sent twice, as an object and as its text, and both must fit into one answer.
import { responseTooLarge } from '../../contract/row_columns.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { JsonParts } from '../../kernel/json_parts.ts'

/** Bytes that are reserved for the message around the result. */
const ENVELOPE_BYTES = 4_096

/** The bytes that all texts of one result may have, as `sizeOf` counts them. */
export const roomFor = ({ response_bytes }: Ceilings): number => Math.max(0, response_bytes - ENVELOPE_BYTES)

/** The bytes of a JSON text, plus those of the same text as a JSON string. */
export const sizeOf = (text: string): number =>
  Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text))

/** @throws response_too_large */
export function wholeAnswer(text: string, ceilings: Ceilings): JsonParts {
  if (sizeOf(text) > roomFor(ceilings)) throw responseTooLarge(ceilings)
  return new JsonParts([text])
}
