// A proof that a person gave for verification: told by what is in it and read, or refused with the reason in words.
import { type EvidenceFile, EvidenceRejected } from '../../../shared/evidence/evidence.ts'
import type { HearEntry, Manifest } from '../../../shared/evidence/manifest.ts'
import { GivenTooLarge, readGivenProof } from '../../../shared/evidence/read_given.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { OtsRejected, type ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import type { ReadTimeStamp } from '../../../shared/time_stamps/read_time_stamp.ts'
import { type BundleFacts, bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { REJECTION_WORDS } from '../../../shared/verifier/read_any_bundle.ts'

export type GivenBundle = {
  readonly kind: 'bundle'
  readonly name: string
  readonly read: ReadBundle
  readonly facts: BundleFacts
}

export type GivenEvidence = {
  readonly kind: 'evidence'
  readonly name: string
  readonly evidence: EvidenceFile
  /** Undefined in the evidence of one file. */
  readonly manifest: GivenManifest | undefined
}

/** A manifest may have a million entries, so they are not kept: whoever looks for one reads the file again. */
export type GivenManifest = {
  readonly file: Blob
  readonly read: Manifest
  readonly entries: number
  /** Of all its entries. Empty when none is the digest of a file. */
  readonly hashTypes: readonly HashType[]
}

export type GivenOts = { readonly kind: 'ots'; readonly name: string; readonly read: ReadOts }

/** By RFC 3161. */
export type GivenTimeStamp = {
  readonly kind: 'time_stamp'
  readonly name: string
  readonly read: ReadTimeStamp
  /** Of its token. Undefined where it did not come along. */
  readonly evidence: EvidenceFile | undefined
}

export type ReadProof = GivenBundle | GivenEvidence | GivenOts | GivenTimeStamp

/**
 * A time stamp and the evidence of its token are one proof together. Null for two that belong not together, and when it has
 * its evidence already.
 */
export const joinedProof = (one: ReadProof, other: ReadProof): GivenTimeStamp | null => {
  const stamp = [one, other].find((proof) => proof.kind === 'time_stamp')
  const ofToken = [one, other].find(isOfToken)
  if (stamp === undefined || ofToken === undefined || stamp.evidence !== undefined) return null
  return { ...stamp, evidence: ofToken.evidence }
}

const isOfToken = (proof: ReadProof): proof is GivenEvidence =>
  proof.kind === 'evidence' && proof.evidence.digest.type === 'rfc3161-token'

/** Null until it is read, and when it is none. */
export const readProof = (given: GivenProof | null): ReadProof | null =>
  given === null || given.kind === 'reading' || given.kind === 'unreadable' ? null : given

export type GivenProof =
  | { readonly kind: 'reading'; readonly name: string; readonly entries: number }
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string }
  | ReadProof

/** @param onEntries how many entries of a manifest were read so far */
export const readGiven = async (
  file: File,
  { signal, onEntries }: { readonly signal: AbortSignal; readonly onEntries: (count: number) => void },
): Promise<Exclude<GivenProof, { kind: 'reading' }>> => {
  const { name } = file
  const hashTypes = new Set<HashType>()
  const hear: HearEntry = ({ entry: { type } }, index) => {
    signal.throwIfAborted()
    if (isHashType(type)) hashTypes.add(type)
    if (index > 0 && index % TOLD_ENTRIES === 0) onEntries(index)
  }
  try {
    const given = await readGivenProof(piecesOf(file), hear)
    signal.throwIfAborted()
    if (given.kind === 'bundle') return { ...given, name, facts: bundleFacts(given.read) }
    if (given.kind === 'ots') return { ...given, name }
    if (given.kind === 'time_stamp') return await readTimeStampOf(name, given.bytes)
    const { evidence, manifest: read } = given
    const manifest = read && { file, read, entries: read.tree.size - 1, hashTypes: [...hashTypes] }
    return { kind: 'evidence', name, evidence, manifest }
  } catch (error) {
    return { kind: 'unreadable', name, why: whyNot(error) }
  }
}

const TOLD_ENTRIES = 5_000

const readTimeStampOf = async (
  name: string,
  bytes: Uint8Array,
): Promise<Exclude<GivenProof, { kind: 'reading' }>> => {
  // It is large, and needed here alone.
  const { readTimeStamp, TimeStampRejected } = await import('../../../shared/time_stamps/read_time_stamp.ts')
  try {
    return { kind: 'time_stamp', name, read: readTimeStamp(bytes), evidence: undefined }
  } catch (error) {
    if (!(error instanceof TimeStampRejected)) throw error
    return { kind: 'unreadable', name, why: `This is a time stamp that cannot be read: ${error.message}.` }
  }
}

/** Why something given could not be verified. */
export const whyNot = (error: unknown): string => {
  const words = rejectionWords(error)
  if (words !== undefined) return `This is not a proof. ${words}`
  // Such as a file that was changed or removed during reading.
  return `It could not be read. ${error instanceof Error ? error.message : String(error)}`
}

const rejectionWords = (error: unknown): string | undefined => {
  if (error instanceof GivenTooLarge) return 'It is larger than any proof. Is it the file the proof is about?'
  if (error instanceof EvidenceRejected) return `It is evidence that cannot be read: ${error.message}.`
  if (error instanceof OtsRejected) return `It is an .ots file that cannot be read: ${error.message}`
  return error instanceof BundleRejected ? REJECTION_WORDS[error.reason] : undefined
}

/** Small pieces, so that the page stays alive between them. */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE_BYTES)
    yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer())
}

const PIECE_BYTES = 131_072

/** What a file can be compared with. */
export type FileQuestion =
  | {
      readonly kind: 'digest'
      readonly types: readonly [HashType]
      readonly hex: string
      readonly whose: string
    }
  | { readonly kind: 'entry'; readonly types: readonly HashType[]; readonly entries: number }
  | { readonly kind: 'nothing'; readonly why: string }

/** Undefined for a proof that is about no file at all, such as one of a block. */
export const fileQuestion = (given: ReadProof): FileQuestion | undefined => {
  switch (given.kind) {
    case 'bundle': {
      const { claimedHash } = given.facts
      if (given.read.type !== 'item') return undefined
      if (claimedHash === undefined) return WORDS_ALONE
      return { kind: 'digest', whose: 'The item claims', types: [claimedHash.type], hex: claimedHash.hex }
    }
    case 'evidence': {
      const { evidence, manifest } = given
      if (manifest === undefined) return questionOf(evidence.digest.type, evidence.digest.value)
      const { hashTypes: types, entries } = manifest
      return types.length === 0 ? NOTHING : { kind: 'entry', types, entries }
    }
    case 'ots':
      return questionOf(given.read.hashType, given.read.digest)
    case 'time_stamp':
      return questionOf(given.read.imprint.hash ?? '', given.read.imprint.digest)
    default:
      return given satisfies never
  }
}

const questionOf = (type: string, digest: Uint8Array): FileQuestion =>
  isHashType(type)
    ? { kind: 'digest', types: [type], hex: toHex(digest), whose: 'The proof is about' }
    : NOTHING

const WORDS_ALONE: FileQuestion = {
  kind: 'nothing',
  why: 'This item claims words, not the digest of a file: there is nothing to compare.',
}

const NOTHING: FileQuestion = {
  kind: 'nothing',
  why: 'This is about no digest that a file can be compared with here.',
}

/**
 * The console page of the subject of a proof. Null when there is none. A beacon's page is found by its hash, which the proof does
 * not carry under that name.
 */
export const subjectPath = (type: string, id: string | null): string | null => {
  if (id === null || !/^[0-9A-Za-z-]{26,36}$/.test(id)) return null
  if (type === 'item') return `/items/${id}`
  if (type === 'block' || type === 'beacon') return `/blocks/${id}`
  return type.startsWith('entropy_') ? `/entropy/${id}` : null
}
