// The known answers of the proof format, typed as far as these tests read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '../../shared/proof/bundle/bundle.ts'
import type { JsonObject, JsonValue } from '../../shared/proof/json_value.ts'

interface Hashed {
  id: string
  signing_key_id: string
  preimage_hex: string
}

interface Signed {
  payload_hex: string
  digest_hex: string
  signature_b64: string
}

export interface Vectors {
  bundles: Record<
    string,
    Signed & {
      type: string
      signer_key_id: string
      generated_at_ms: number
      subject_hash: string
      block_hash: string
      temporal: Record<string, string>
      /** Every row without lookups, as `group: status`. */
      rows: string[]
      compact_rows: string[]
      published: Bundle
      published_cbor_b64: string
      compact: JsonObject
      compact_cbor_b64: string
    }
  >
  tampered: {
    name: string
    bundle: string
    changes: ({ pointer: string } & ({ value: JsonValue } | { remove: true }))[]
    expect: { passed: boolean; failing_groups: string[] } | { rejected: string }
  }[]
  rejected_texts: { name: string; text: string; reason: string }[]
  rejected_cbor: { name: string; b64: string; reason: string }[]
  keyring: {
    version: string
    keys: { key_id: string; public_key: string; sequence: number; active: boolean }[]
  }
  cbor: { value: JsonValue; hex: string }[]
  bitcoin: {
    blocks: {
      name: string
      height: number
      header_hex: string
      block_hash: string
      merkle_root: string
      time: number
      transactions: { raw_hex: string; txid: string; op_return: string | null }[]
      commitment_index: number
      txoutproof_hex: string
    }[]
    op_return_scripts: { name: string; script_hex: string; value: string | null }[]
    txoutproofs_to_refuse: { name: string; txoutproof_hex: string }[]
  }
  domains: { text: string; digests: { name: string; prefix: string; hex: string }[] }
  genesis: {
    message: string
    previous_block_hash: string
    empty_merkle_root: string
    empty_block_metadata_hash: string
    empty_observation_metadata_hash: string
  }
  key: {
    name: string
    seed_hex: string
    public_key_b64: string
    key_id: string
    prerotation_commitment: string
  }[]
  ids: { id: string; kind: 'ulid' | 'uuidv7'; unix_ms: number | null }[]
  jcs: { input_text: string; canonical: string; byte_length: number; sha256_0x11: string }[]
  null_dropping: { submitted: JsonObject; stored: JsonObject; claims_hash: string }[]
  items: (Hashed & {
    claims: JsonObject
    claims_canonical: string
    claims_hash: string
    metadata: JsonObject
    metadata_canonical: string
    metadata_hash: string
    item_hash: string
    standing_signature_b64: string
  })[]
  observations: (Hashed & {
    source: string
    payload: JsonObject
    payload_canonical: string
    entropy_hash: string
    metadata: JsonObject
    metadata_hash: string
    observation_hash: string
    standing_signature_b64: string
  })[]
  blocks: (Hashed & {
    name: string
    previous_block_hash: string
    leaf_ids_in_order: string[]
    leaf_hashes_in_order: string[]
    merkle_root: string
    metadata: JsonObject
    metadata_canonical: string
    metadata_hash: string
    block_hash: string
    standing_signature_b64: string
  })[]
  epochs: { chain: string; sequence: number; block_ids_in_order: string[]; root: string }[]
  commitments: (Hashed & {
    commitment_data: JsonObject
    commitment_data_canonical: string
    commitment_data_hash: string
    owner_id: string
    commitment_hash: string
  })[]
  merkle: {
    n: number
    leaf_values: string[]
    root: string
    proofs: {
      index: number
      steps: { side: 'left' | 'right'; hash: string }[]
      compact_hex: string
      compact_b64url: string
    }[]
  }[]
  paths: {
    accept: {
      name: string
      leaf_value: string
      depth: number
      sides: string
      compact_b64url: string
      root: string
    }[]
    refuse: { name: string; text: string }[]
  }
  signing: (Signed & {
    name: string
    type_code: number
    key_id: string
    ts_ms: number
    subject_hash: string
    block_hash: string
    epoch_roots: string[]
    seed_hex: string
  })[]
}

export const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'proof-vectors.json'), 'utf8'),
)
