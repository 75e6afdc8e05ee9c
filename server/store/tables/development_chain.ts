// Columns of the development chain.
import {
  bool,
  bytes,
  bytesList,
  defaulted,
  generated,
  instant,
  int4,
  int8,
  nullable,
  oneOf,
} from '../columns.ts'

export const DEVELOPMENT_CHAIN_TABLES = {
  development_blocks: {
    hash: bytes,
    previous_hash: nullable(bytes),
    height: int4,
    time: int8,
    header: bytes,
    transaction_ids: bytesList,
    active: defaulted(bool),
  },
  development_transactions: {
    txid: bytes,
    arrival: generated(int8),
    arrived_at: defaulted(instant),
    raw: bytes,
    coinbase: bool,
    fee: int8,
    weight: int4,
    /** `pool`: waits for a block. `chain`: is in an active block. `out`: was replaced, or its input is gone; it may return. */
    standing: oneOf('pool', 'chain', 'out'),
    block_hash: nullable(bytes),
    height: nullable(int4),
  },
  development_inputs: {
    spender: bytes,
    position: int4,
    txid: bytes,
    n: int8,
  },
  development_outputs: {
    txid: bytes,
    n: int8,
    amount: int8,
    script: bytes,
    live: defaulted(bool),
    spent_by: nullable(bytes),
  },
} as const
