// Columns of the witnesses of the public log.
import { bytes, defaulted, instant, int4, nullable, text } from '../columns.ts'

export const WITNESS_TABLES = {
  witnesses: {
    log: int4,
    key: text,
    seen_size: defaulted(int4),
    cosigned_at: nullable(instant),
    missing_since: nullable(instant),
    trouble: nullable(text),
  },
  witness_cosignatures: {
    log: int4,
    size: int4,
    key: text,
    cosignature: bytes,
  },
  witness_rounds: {
    log: int4,
    holder: nullable(text),
    size: int4,
    until: instant,
  },
} as const
