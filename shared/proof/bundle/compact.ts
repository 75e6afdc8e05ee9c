// The compact layout for older clients. The signature is the same; metadata maps are replaced by their
// hashes, and witnesses are left out.
import { toHex } from '../bytes.ts'
import { jsonHash } from '../composites.ts'
import { canonicalJson, type JsonObject } from '../json_value.ts'
import { TYPE_CODES } from '../signed_payload.ts'
import type { SparseBundle, SparseEntry, Subject } from './bundle.ts'
import { isPresent, renamedMembers } from './bundle_parts.ts'
import { COMPACT_CHAINS } from './compact_document.ts'
import { COMPACT_PLACES } from './layout_places.ts'
import { cborOf, entryMap } from './write_bundle.ts'

/**
 * The JSON document. Loses information. The signature stays valid, because everything left out is signed only through its
 * hash. `s` and `ip` are absent for blocks and beacons.
 */
export function compactOf(bundle: SparseBundle): JsonObject {
  const { block, subject, inclusion_proof } = bundle
  return {
    v: bundle.version,
    t: TYPE_CODES[bundle.type],
    ts: bundle.generated_at,
    pk: bundle.public_key,
    sig: bundle.signature,
    ...(isPresent(subject) && { s: compactSubject(subject) }),
    ...(isPresent(inclusion_proof) && { ip: inclusion_proof }),
    b: {
      id: block.id,
      ph: block.previous_block_hash,
      mr: block.merkle_root,
      mh: toHex(jsonHash('block_metadata', block.metadata)),
      kid: block.signing_key_id,
    },
    cx: bundle.commitments.map(compactEntry),
  }
}

/** Members in ascending order of name, no white space. */
export function compactJson(bundle: SparseBundle): string {
  return canonicalJson(compactOf(bundle))
}

/** The same bundle always gives the same bytes. */
export function compactCbor(bundle: SparseBundle): Uint8Array {
  return cborOf(compactOf(bundle), COMPACT_PLACES)
}

function compactSubject(subject: Subject): JsonObject {
  const { id, claims, entropy, metadata, signing_key_id } = subject
  const domain = isPresent(claims) ? 'items_metadata' : 'entropy_metadata'
  return { id, d: claims ?? entropy ?? {}, mh: toHex(jsonHash(domain, metadata)), kid: signing_key_id }
}

/** Holds only the members that the entry has. */
function compactEntry(entry: SparseEntry): JsonObject {
  const kind = COMPACT_CHAINS.find(({ chain }) => chain === entry.chain)
  if (kind === undefined) throw new RangeError(`no compact form of an entry of ${entry.chain}`)
  const shortNames = Object.entries(kind.names).map(([short, name]): [string, string] => [name, short])
  return { ...renamedMembers(entryMap(entry), shortNames), t: kind.code }
}
