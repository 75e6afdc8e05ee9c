// Columns of the rounds.
import { bytes, int4, int8, nullable, text } from '../columns.ts'

export const ROUND_TABLES = {
  aggregation_rounds: {
    number: int8,
    item_id: text,
    root: bytes,
    size: int4,
    own_bytes: bytes,
    token_hashes: nullable(bytes),
  },
} as const
