// The short names of the compact layout and the published names, for both directions.
import { CHAIN_NAMES, CHAINS } from '../public_chains.ts'

/** Short name first. Each table is one map of the layout. */
export const COMPACT_TOP = {
  v: 'version',
  t: 'type',
  ts: 'generated_at',
  pk: 'public_key',
  sig: 'signature',
  s: 'subject',
  ip: 'inclusion_proof',
  b: 'block',
  cx: 'commitments',
} as const

/** `d` means `claims` or `entropy`, depending on the type. `mh` is the hash of the metadata map. */
export const COMPACT_SUBJECT = { id: 'id', kid: 'signing_key_id', mh: 'metadata_hash' } as const

export const COMPACT_BLOCK = {
  id: 'id',
  ph: 'previous_block_hash',
  mr: 'merkle_root',
  mh: 'metadata_hash',
  kid: 'signing_key_id',
} as const

const COMPACT_ENTRY = {
  ep: 'epoch_proof',
  tx: 'transaction_hash',
  net: 'network',
  ts: 'timestamp',
} as const

/** By the evidence that entries of a chain carry. */
const ENTRY_NAMES = {
  ledger: { ...COMPACT_ENTRY, memo: 'epoch_merkle_root', l: 'ledger' },
  block: {
    ...COMPACT_ENTRY,
    op: 'epoch_merkle_root',
    h: 'block_height',
    rtx: 'raw_transaction',
    txp: 'txoutproof',
    bmr: 'block_merkle_root',
  },
} as const

/** By the number that says which chain an entry belongs to. */
export const COMPACT_CHAINS = CHAIN_NAMES.map((chain) => {
  const { code, evidence } = CHAINS[chain]
  return { code, chain, names: ENTRY_NAMES[evidence] }
})
