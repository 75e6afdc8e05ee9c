// Verifies a proof that was read, in this browser, and asks nobody.
import { readEvidenceValue } from '../../../shared/evidence/evidence.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import { evidenceOfEntry, readTreeManifest } from '../../../shared/evidence/manifest.ts'
import type { ManifestEntry } from '../../../shared/evidence/manifest_tree.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import {
  type EvidenceReport,
  type EvidenceVerdict,
  lackingFile,
  verifyEvidence,
} from '../../../shared/evidence/verify_evidence.ts'
import {
  judgeOts,
  type OtsReport,
  type OtsVerdict,
  shownOts,
  verifyOts,
} from '../../../shared/evidence/verify_ots.ts'
import type { TimeStampReport, TimeStampVerdict } from '../../../shared/evidence/verify_time_stamp.ts'
import { bytesEqual, hexOrUndefined } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Report, Row } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { type Judgement, judgeReport, type Verdict } from '../../../shared/verifier/verdict.ts'
import { fetchOwnRoots } from '../proofs/own_keyring.ts'
import {
  type GivenBundle,
  type GivenEvidence,
  type GivenManifest,
  type GivenOts,
  type GivenTimeStamp,
  piecesOf,
  type ReadProof,
} from './given_proof.ts'

type Judged<Word extends Verdict | EvidenceVerdict | OtsVerdict | TimeStampVerdict> = {
  readonly judgement: Omit<Judgement, 'verdict'> & { readonly verdict: Word }
  readonly steps: readonly Row[]
  /** What the verifier prints with --json. */
  readonly document: object
}

export type VerifiedBundle = Judged<Verdict> & {
  readonly kind: 'bundle'
  readonly given: GivenBundle
  readonly report: Report
}

export type VerifiedEvidence = Judged<EvidenceVerdict> & {
  readonly kind: 'evidence'
  readonly given: GivenEvidence
  readonly report: EvidenceReport
  /** The entry of a manifest that the file at hand is. */
  readonly entry: FoundEntry | undefined
}

export type VerifiedOts = Judged<OtsVerdict> & {
  readonly kind: 'ots'
  readonly given: GivenOts
  readonly report: OtsReport
}

export type VerifiedTimeStamp = Judged<TimeStampVerdict> & {
  readonly kind: 'time_stamp'
  readonly given: GivenTimeStamp
  readonly report: TimeStampReport
}

export type Verified = VerifiedBundle | VerifiedEvidence | VerifiedOts | VerifiedTimeStamp

/** A digest of the file at hand. One that the person entered may be of any type, and no digest at all. */
type GivenDigest = { readonly type?: HashType; readonly hex: string }

export const NO_DIGESTS: readonly GivenDigest[] = []

type Given = {
  readonly keyrings: readonly NamedKeyring[]
  /** For a manifest one of each type in it; otherwise the first counts. */
  readonly digests: readonly GivenDigest[]
  /** Of Bitcoin blocks by their heights, as the person entered them. */
  readonly merkleRoots: ReadonlyMap<number, string>
  readonly signal: AbortSignal
}

/** @throws the reason of the signal */
export const verifyGiven = (proof: ReadProof, given: Given): Promise<Verified> => {
  switch (proof.kind) {
    case 'bundle':
      return verifyGivenBundle(proof, given)
    case 'evidence':
      return verifyGivenEvidence(proof, given)
    case 'ots':
      return verifyGivenOts(proof, given)
    case 'time_stamp':
      return verifyGivenTimeStamp(proof, given)
    default:
      return proof satisfies never
  }
}

const verifyGivenBundle = async (
  given: GivenBundle,
  { keyrings, digests: [digest] }: Given,
): Promise<VerifiedBundle> => {
  const { read } = given
  const report = await verifyBundle(read, { keyrings, expectedHash: digest?.hex })
  return {
    kind: 'bundle',
    given,
    report,
    judgement: judgeReport(read, report, keyrings),
    steps: report.steps,
    document: report,
  }
}

const verifyGivenEvidence = async (
  given: GivenEvidence,
  { keyrings, digests, signal }: Given,
): Promise<VerifiedEvidence> => {
  const { manifest } = given
  const entry = manifest && (await entryOf(manifest, digests, signal))
  const evidence =
    manifest === undefined || entry === undefined
      ? given.evidence
      : readEvidenceValue(evidenceOfEntry(manifest.read, entry.index, entry))
  const fileDigest = manifest === undefined ? firstOf(digests) : entry?.entry.value
  const checkTimeStamp: EvidenceTrust['checkTimeStamp'] = async (token, digest) => {
    const [{ carriedStampFindings }, roots] = await stampChecking(signal)
    return carriedStampFindings(token, digest, { roots })
  }
  const verified = await verifyEvidence(evidence, { keyrings, checkTimeStamp }, fileDigest)
  const isLacking = manifest !== undefined && entry === undefined && digests.length > 0
  const report = isLacking ? lackingFile(verified, manifest.entries) : verified
  return {
    kind: 'evidence',
    given,
    report,
    entry,
    judgement: { ...judgeEvidence(evidence, report, keyrings), verdict: report.verdict },
    steps: [...report.rows, ...(report.bundle?.report.steps ?? [])],
    document: shownReport(evidence, report),
  }
}

const verifyGivenOts = async (given: GivenOts, { digests, merkleRoots }: Given): Promise<VerifiedOts> => {
  const { read } = given
  const report = await verifyOts(read, { merkleRoots }, firstOf(digests))
  return {
    kind: 'ots',
    given,
    report,
    judgement: { ...judgeOts(read, report), verdict: report.verdict },
    steps: report.rows,
    document: shownOts(read, report),
  }
}

/** By the root of this service. What verifies certificates is large, and loaded for them alone. */
const stampChecking = (signal: AbortSignal) =>
  Promise.all([import('../../../shared/evidence/verify_time_stamp.ts'), fetchOwnRoots(signal)])

const verifyGivenTimeStamp = async (
  given: GivenTimeStamp,
  { keyrings, digests, signal }: Given,
): Promise<VerifiedTimeStamp> => {
  const [{ judgeTimeStamp, shownTimeStamp, verifyTimeStamp }, roots] = await stampChecking(signal)
  const { read, evidence: file } = given
  const evidence = file && { file, report: await verifyEvidence(file, { keyrings }) }
  const report = await verifyTimeStamp(read, { roots, evidence }, firstOf(digests))
  return {
    kind: 'time_stamp',
    given,
    report,
    judgement: { ...judgeTimeStamp(read, report), verdict: report.verdict },
    steps: report.rows,
    document: shownTimeStamp(read, report),
  }
}

/** What is no hex is the digest of no file. */
const bytesOf = ({ hex }: GivenDigest): Uint8Array =>
  hexOrUndefined(hex.trim().toLowerCase()) ?? new Uint8Array()

const firstOf = ([digest]: readonly GivenDigest[]): Uint8Array | undefined => digest && bytesOf(digest)

type FoundEntry = ManifestEntry & { readonly index: number }

/** The first entry with one of the digests. */
const entryOf = async (
  { file }: GivenManifest,
  digests: readonly GivenDigest[],
  signal: AbortSignal,
): Promise<FoundEntry | undefined> => {
  if (digests.length === 0) return undefined
  const wanted = digests.map((digest) => ({ type: digest.type, value: bytesOf(digest) }))
  let found: FoundEntry | undefined
  await readTreeManifest(piecesOf(file), (entry, index) => {
    signal.throwIfAborted()
    const { type, value } = entry.entry
    const isIt = wanted.some((one) => (one.type ?? type) === type && bytesEqual(one.value, value))
    if (found === undefined && isIt && isHashType(type)) found = { ...entry, index }
  })
  return found
}
