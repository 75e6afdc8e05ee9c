// The names of the compact layout: short and published ones, for both directions. A compact bundle gets its published
// names; hashes stand in place of the metadata maps.
import { isJsonObject, type JsonObject, type JsonValue } from '../json_value.ts'
import { CHAIN_NAMES, CHAINS, type ChainName } from '../public_chains.ts'
import { isProofType, type ProofType, TYPE_CODES } from '../signed_payload.ts'
import { carried, renamedMembers } from './bundle_parts.ts'

/** Short name first. Each table is one map of the layout. */
const COMPACT_TOP = {
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
const COMPACT_SUBJECT = { id: 'id', kid: 'signing_key_id', mh: 'metadata_hash' } as const

const COMPACT_BLOCK = {
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

/** Of the members of an entry, but for its chain. */
export const entryNames = (chain: ChainName) => ENTRY_NAMES[CHAINS[chain].evidence]

/** By the number that says which chain an entry belongs to. */
export const COMPACT_CHAINS = CHAIN_NAMES.map((chain) => {
  return { chain, code: CHAINS[chain].code, names: entryNames(chain) }
})

/**
 * Leaves out members with other names, so that a compact bundle cannot carry a published name. A part of the
 * wrong kind is passed on unchanged.
 */
export function publishedNames(compact: JsonObject): JsonObject {
  const document = renamedMembers(compact, Object.entries(COMPACT_TOP))
  const type = typeOfCode(document.type)
  delete document.type
  if (type !== undefined) document.type = type
  if (isJsonObject(document.subject)) {
    const data = carried(document.subject, 'd')
    document.subject = renamedMembers(document.subject, Object.entries(COMPACT_SUBJECT))
    if (data !== undefined) document.subject[type === 'item' ? 'claims' : 'entropy'] = data
  }
  if (isJsonObject(document.block))
    document.block = renamedMembers(document.block, Object.entries(COMPACT_BLOCK))
  if (Array.isArray(document.commitments)) document.commitments = document.commitments.map(publishedEntry)
  return document
}

const typeOfCode = (code: JsonValue | undefined): ProofType | undefined =>
  Object.keys(TYPE_CODES)
    .filter(isProofType)
    .find((type) => TYPE_CODES[type] === code)

function publishedEntry(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  const code = carried(entry, 't')
  const kind = COMPACT_CHAINS.find((chain) => chain.code === code)
  return kind === undefined ? {} : { ...renamedMembers(entry, Object.entries(kind.names)), chain: kind.chain }
}
