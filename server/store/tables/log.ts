// The tables of the public log and of its witnesses.
import { bytes, defaulted, instant, int2, int4, nullable, text } from '../columns.ts'

export const LOG_TABLES = {
  log_tiles: {
    level: int2,
    tile: int4,
    hashes: bytes,
  },
  log_keys: {
    number: int4,
    origin: text,
    public_key: bytes,
    sealed_seed: bytes,
    inserted_at: defaulted(instant),
    retired_at: nullable(instant),
    reason: nullable(text),
    last_checkpoint: nullable(text),
  },
  log_checkpoints: {
    log: int4,
    size: int4,
    root: bytes,
    signature: bytes,
    inserted_at: defaulted(instant),
  },
  missing_checkpoints: {
    log: int4,
    note: text,
    inserted_at: defaulted(instant),
  },
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
