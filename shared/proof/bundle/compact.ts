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

interface CompactBundle {
  readonly v: 1
  readonly t: number
  readonly ts: string
  readonly pk: string
  readonly sig: string
  /** Absent for blocks and beacons, as is `ip`. */
  readonly s?: { readonly id: string; readonly d: JsonObject; readonly mh: string; readonly kid: string }
  readonly ip?: string
  readonly b: CompactBlock
  readonly cx: readonly CompactEntry[]
}

/**
 * Loses information. The signature stays valid, because everything left out is signed only through its hash.
 */
export function compactOf(bundle: SparseBundle): CompactBundle {
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
export function compactJson(compact: CompactBundle): string {
  return canonicalJson(compactDocument(compact))
}

/** The same bundle always gives the same bytes. */
export function compactCbor(compact: CompactBundle): Uint8Array {
  return cborOf(compactDocument(compact), COMPACT_PLACES)
}

/** The bundle as a JSON document. */
function compactDocument({ s, b, cx, ...rest }: CompactBundle): JsonObject {
  return {
    ...rest,
    ...(s === undefined ? {} : { s: { ...s } }),
    b: { ...b },
    cx: cx.map((entry) => ({ ...entry })),
  }
}

type CompactBlock = Readonly<Record<'id' | 'ph' | 'mr' | 'mh' | 'kid', string>>
/** Holds only the members that the entry has. */
type CompactEntry = Readonly<JsonObject>

function compactSubject(subject: Subject): NonNullable<CompactBundle['s']> {
  const { id, claims, entropy, metadata, signing_key_id } = subject
  const domain = isPresent(claims) ? 'items_metadata' : 'entropy_metadata'
  return { id, d: claims ?? entropy ?? {}, mh: toHex(jsonHash(domain, metadata)), kid: signing_key_id }
}

function compactEntry(entry: SparseEntry): CompactEntry {
  const kind = COMPACT_CHAINS.find(({ chain }) => chain === entry.chain)
  if (kind === undefined) throw new RangeError(`no compact form of an entry of ${entry.chain}`)
  const shortNames = Object.entries(kind.names).map(([short, name]): [string, string] => [name, short])
  return { ...renamedMembers(entryMap(entry), shortNames), t: kind.code }
}
