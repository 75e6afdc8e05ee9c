// Columns of the rounds, and of the certificates that sign the tokens in them.
import {
  bytes,
  bytesList,
  defaulted,
  generated,
  instant,
  int4,
  int8,
  nullable,
  oneOf,
  text,
} from '../columns.ts'

export const ROUND_TABLES = {
  aggregation_rounds: {
    number: int8,
    item_id: text,
    root: bytes,
    size: int4,
    own_bytes: bytes,
    token_hashes: nullable(bytes),
  },
  time_stamp_certificates: {
    fingerprint: bytes,
    number: generated(int4),
    role: oneOf('root', 'leaf', 'brought'),
    key_type: nullable(oneOf('p256', 'rsa')),
    certificate: bytes,
    chain: bytesList,
    sealed_key: nullable(bytes),
    signs_until: instant,
    inserted_at: defaulted(instant),
  },
} as const
