// Reads a bundle from text, bytes or a value. The result is its parts under their published names, no more of each
// than the report can bear, or one reason for the rejection.
import { readOrUndefined } from '../bytes.ts'
import { ENTROPY_NAMES } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json_value.ts'
import { isProofType, type ProofType } from '../signed_payload.ts'
import { readStrictJson } from '../strict_json.ts'
import {
  BundleRejected,
  type Carried,
  carried,
  type Layout,
  readBlock,
  readEntry,
  readMetadata,
} from './bundle_parts.ts'
import { publishedNames } from './compact_document.ts'
import { COMPACT_PLACES, documentOf, PUBLISHED_PLACES } from './layout_places.ts'
import { type CborValue, FOREIGN, readCbor } from './read_cbor.ts'

/**
 * How many of each repeated part a bundle may have. The ceiling exists because each part adds rows, or names in
 * rows, to the report.
 * A correct bundle has one commitment per chain, a few witnesses, and at most 512 blocks in `block_path`.
 */
export const MOST_PARTS = { commitments: 64, block_path: 1_024, witnesses: 64 } as const

/** The witness names that have a meaning. They are always read, however many other names a bundle has. */
const KNOWN_WITNESSES = ['block', ...ENTROPY_NAMES]

/**
 * Cuts lists and maps that have too many entries, and records their places, so that the report can name what
 * was not checked.
 */
class Cutting {
  /** Places that were cut, such as `signing_key_event.commitments`. */
  readonly surplus: string[] = []

  list<T>(place: string, entries: readonly T[], most: number): readonly T[] {
    if (entries.length <= most) return entries
    this.surplus.push(place)
    return entries.slice(0, most)
  }

  listIn(place: string, value: Carried, most: number): Carried {
    return Array.isArray(value) ? [...this.list<JsonValue>(place, value, most)] : value
  }

  witnesses(place: string, value: Carried): Carried {
    if (!isJsonObject(value) || Object.keys(value).length <= MOST_PARTS.witnesses) return value
    this.surplus.push(place)
    const known = KNOWN_WITNESSES.filter((name) => Object.hasOwn(value, name))
    return Object.fromEntries(known.map((name) => [name, value[name] ?? null]))
  }
}

/**
 * A bundle that passed the rejections. The parts that a rejection requires are present; all other members are
 * as carried.
 */
export type ReadBundle = Readonly<ReturnType<typeof readParts>>

export type ReadSubject = Readonly<ReturnType<typeof readSubject>>

/** @throws BundleRejected */
export function readBundleJson(text: string | Uint8Array): ReadBundle {
  return readBundleObject(wellFormed(() => readStrictJson(text)))
}

/**
 * `value` must come from the strict reader.
 * @throws BundleRejected
 */
export function readBundleObject(value: JsonValue): ReadBundle {
  if (!isJsonObject(value)) throw new BundleRejected('not_a_json_object')
  return readDocument(value, layoutOf(value))
}

/** @throws BundleRejected */
export function readBundleCbor(bytes: Uint8Array): ReadBundle {
  const value = wellFormed(() => readCbor(bytes))
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap || value instanceof Uint8Array) throw new BundleRejected('not_a_json_object')
  const layout = layoutOf(value)
  return readDocument(documentOf(value, layout === 'compact' ? COMPACT_PLACES : PUBLISHED_PLACES), layout)
}

function readDocument(document: JsonObject, layout: Layout | undefined): ReadBundle {
  if (layout === undefined) throw new BundleRejected('unsupported_layout')
  return readParts(layout === 'compact' ? publishedNames(document) : document, layout)
}

/** Checks the rejections in their order. The first that applies is the answer. */
function readParts(document: JsonObject, layout: Layout) {
  const type = carried(document, 'type')
  if (!isProofType(type)) throw new BundleRejected('invalid_subject_type')
  const block = carried(document, 'block')
  if (!isJsonObject(block)) throw new BundleRejected('missing_block')
  const subject = carried(document, 'subject')
  const inclusionProof = carried(document, 'inclusion_proof')
  const isBlockLike = type === 'block' || type === 'beacon'
  if (isBlockLike && (subject !== undefined || inclusionProof !== undefined))
    throw new BundleRejected('unexpected_subject_fields_for_block_like')
  if (!isBlockLike && !isJsonObject(subject)) throw new BundleRejected('missing_subject')
  if (!isBlockLike && typeof inclusionProof !== 'string') throw new BundleRejected('missing_inclusion_proof')
  if (!hasMetadata(block, layout) || (isJsonObject(subject) && !hasMetadata(subject, layout)))
    throw new BundleRejected('missing_metadata')
  const isPublished = layout === 'published'
  const cutting = new Cutting()
  return {
    type,
    layout,
    version: carried(document, 'version'),
    generatedAt: carried(document, 'generated_at'),
    publicKey: carried(document, 'public_key'),
    signature: carried(document, 'signature'),
    /** Undefined for blocks and beacons. */
    subject: isJsonObject(subject) ? readSubject(subject, { type, layout, cutting }) : undefined,
    /** Undefined for blocks and beacons. */
    inclusionProof: typeof inclusionProof === 'string' ? inclusionProof : undefined,
    block: readBlock(block, layout),
    blockPath: isPublished
      ? cutting.listIn('block_path', carried(document, 'block_path'), MOST_PARTS.block_path)
      : undefined,
    /** At least one. */
    commitments: cutting.list(
      'commitments',
      readCommitments(carried(document, 'commitments')),
      MOST_PARTS.commitments,
    ),
    signingKeyEvent: isPublished ? readKeyEvent(carried(document, 'signing_key_event'), cutting) : undefined,
    /** Places with more entries than are checked. The verifier can say nothing about the rest. */
    surplus: cutting.surplus,
  }
}

function readSubject(
  subject: JsonObject,
  { type, layout, cutting }: { type: ProofType; layout: Layout; cutting: Cutting },
) {
  const carriedMetadata = readMetadata(subject, layout)
  const committed = carried(carriedMetadata.metadata, 'witnesses')
  const witnesses = layout === 'published' ? carried(subject, 'witnesses') : undefined
  return {
    id: carried(subject, 'id'),
    /** The claims of an item or the payload of an observation. */
    data: carried(subject, type === 'item' ? 'claims' : 'entropy'),
    ...carriedMetadata,
    signingKeyId: carried(subject, 'signing_key_id'),
    /** The witnesses that the metadata lists. Published layout only. */
    committedWitnesses: cutting.witnesses('subject.metadata.witnesses', committed),
    witnesses: cutting.witnesses('subject.witnesses', witnesses),
  }
}

function readCommitments(entries: Carried) {
  if (!Array.isArray(entries) || entries.length === 0) throw new BundleRejected('no_external_commitments')
  return entries.map((value) => {
    const entry = readEntry(value)
    if (entry === undefined) throw new BundleRejected('invalid_commitment_entry')
    return entry
  })
}

function readKeyEvent(event: Carried, cutting: Cutting): Carried {
  if (!isJsonObject(event)) return event
  const entries = carried(event, 'commitments')
  const place = 'signing_key_event.commitments'
  const kept = cutting.listIn(place, entries, MOST_PARTS.commitments)
  return kept === undefined ? event : { ...event, commitments: kept }
}

function hasMetadata(map: JsonObject, layout: Layout): boolean {
  return layout === 'published'
    ? isJsonObject(carried(map, 'metadata'))
    : typeof carried(map, 'metadata_hash') === 'string'
}

/**
 * `published` without the short names `v` and `t`, otherwise `compact`. Undefined when `version` or `type` is
 * there beside a short name.
 */
function layoutOf(document: { readonly [name: string]: CborValue }): Layout | undefined {
  if (!Object.hasOwn(document, 'v') && !Object.hasOwn(document, 't')) return 'published'
  return isThere(document, 'version') || isThere(document, 'type') ? undefined : 'compact'
}

/** False also for a value that would count as absent after the conversion to JSON. */
function isThere(document: { readonly [name: string]: CborValue }, name: string): boolean {
  const value = Object.hasOwn(document, name) ? document[name] : undefined
  return value !== undefined && value !== null && value !== FOREIGN && !(value instanceof Uint8Array)
}

function wellFormed<T>(read: () => T): T {
  const value = readOrUndefined(read)
  if (value === undefined) throw new BundleRejected('not_a_json_object')
  return value
}
