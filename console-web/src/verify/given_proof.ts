// A proof that a person gave for verification: told by what is in it and read, or refused with the reason in words.
import { EvidenceRejected } from '../../../shared/evidence/evidence.ts'
import type { HearEntry } from '../../../shared/evidence/manifest.ts'
import { GivenTooLarge, readGivenProof } from '../../../shared/evidence/read_given.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { OtsRejected } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { REJECTION_WORDS } from '../../../shared/verifier/read_any_bundle.ts'
import { bundleProof } from './bundle_proof.ts'
import { evidenceProof, piecesOf } from './evidence_proof.ts'
import { otsProof } from './ots_proof.ts'
import type { GivenProof } from './read_proof.ts'

/** @param show gets how many entries of a manifest were read so far, as long as it is not aborted */
export const readGiven = async (
  file: File,
  signal: AbortSignal,
  show: (reading: GivenProof) => void,
): Promise<GivenProof> => {
  const { name } = file
  const hashTypes = new Set<HashType>()
  const hear: HearEntry = ({ entry: { type } }, index) => {
    signal.throwIfAborted()
    if (isHashType(type)) hashTypes.add(type)
    if (index > 0 && index % TOLD_ENTRIES === 0) show({ kind: 'reading', name, entries: index })
  }
  try {
    const given = await readGivenProof(piecesOf(file), hear)
    signal.throwIfAborted()
    if (given.kind === 'bundle') return bundleProof(name, given.read)
    if (given.kind === 'ots') return otsProof(name, given.read)
    if (given.kind === 'time_stamp')
      return (await import('./time_stamp_proof.ts')).givenTimeStamp(name, given.bytes)
    const { evidence, manifest: read } = given
    const manifest = read && { file, read, entries: read.tree.size - 1, hashTypes: [...hashTypes] }
    return evidenceProof(name, evidence, manifest)
  } catch (error) {
    return { kind: 'unreadable', name, why: whyNot(error) }
  }
}

const TOLD_ENTRIES = 5_000

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
