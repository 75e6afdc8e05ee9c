// Writing a bundle in the published layout, as JSON text or as CBOR.
import { canonicalJson } from '../canonical_json.ts'
import type { JsonObject, JsonValue } from '../json_value.ts'
import type { BlockMap, Bundle, CommitmentEntry, Subject } from './bundle.ts'
import { PUBLISHED_PLACES } from './layout_places.ts'
import { cborOf } from './write_cbor.ts'

/** Members in ascending order of name, no white space. */
export function bundleJson(bundle: Bundle): string {
  return canonicalJson(bundleDocument(bundle))
}

/** Deterministic. RangeError when a key, signature or hash is not written as it should be. */
export function bundleCbor(bundle: Bundle): Uint8Array {
  return cborOf(bundleDocument(bundle), PUBLISHED_PLACES)
}

/** The JSON document, only of members that are listed: what else an object holds never gets out. */
export function bundleDocument(bundle: Bundle): JsonObject {
  const { subject, inclusion_proof, block_path, signing_key_event } = bundle
  return {
    version: bundle.version,
    type: bundle.type,
    generated_at: bundle.generated_at,
    public_key: bundle.public_key,
    signature: bundle.signature,
    ...(subject === undefined ? {} : { subject: subjectMap(subject) }),
    ...(inclusion_proof === undefined ? {} : { inclusion_proof }),
    block: blockMap(bundle.block),
    ...(block_path === undefined || block_path.length === 0 ? {} : { block_path: block_path.map(blockMap) }),
    commitments: bundle.commitments.map(entryMap),
    ...(signing_key_event === undefined
      ? {}
      : {
          signing_key_event: {
            block: blockMap(signing_key_event.block),
            commitments: signing_key_event.commitments.map(entryMap),
          },
        }),
  }
}

function subjectMap({ id, claims, entropy, metadata, signing_key_id, witnesses }: Subject): JsonObject {
  const details = Object.entries(witnesses ?? {}).map(([name, detail]): [string, JsonValue] => [
    name,
    isBlockMap(name, detail) ? blockMap(detail) : detail,
  ])
  return {
    id,
    ...(claims === undefined ? {} : { claims }),
    ...(entropy === undefined ? {} : { entropy }),
    metadata,
    signing_key_id,
    ...(details.length === 0 ? {} : { witnesses: Object.fromEntries(details) }),
  }
}

function isBlockMap(name: string, detail: BlockMap | JsonObject): detail is BlockMap {
  return name === 'block' && 'merkle_root' in detail
}

function blockMap(block: BlockMap): JsonObject {
  const { id, previous_block_hash, merkle_root, metadata, signing_key_id } = block
  return { id, previous_block_hash, merkle_root, metadata, signing_key_id }
}

function entryMap(entry: CommitmentEntry): JsonObject {
  const { chain, epoch_merkle_root, epoch_proof, transaction_hash, network, timestamp } = entry
  const shared = { chain, epoch_merkle_root, epoch_proof, transaction_hash, network, timestamp }
  if (entry.chain === 'stellar') return { ...shared, ledger: entry.ledger }
  const { block_height, raw_transaction, txoutproof, block_merkle_root } = entry
  return { ...shared, block_height, raw_transaction, txoutproof, block_merkle_root }
}
