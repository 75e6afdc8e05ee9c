// Verifies a proof that was read, in this browser, and asks nobody.
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { readEvidenceValue } from '../../../shared/evidence/evidence.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import { evidenceOfEntry, type ManifestEntry, readTreeManifest } from '../../../shared/evidence/manifest.ts'
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
import { bytesEqual, hexOrUndefined } from '../../../shared/proof/bytes.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Report, Row } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { type Judgement, judgeReport, type Verdict } from '../../../shared/verifier/verdict.ts'
import {
  type GivenBundle,
  type GivenEvidence,
  type GivenManifest,
  type GivenOts,
  piecesOf,
  type ReadProof,
} from './given_proof.ts'

type Judged<Word extends Verdict | EvidenceVerdict | OtsVerdict> = {
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

export type Verified = VerifiedBundle | VerifiedEvidence | VerifiedOts

type Given = {
  readonly keyrings: readonly NamedKeyring[]
  /** As the person entered it, or as the file at hand was hashed. Blank when there is none. */
  readonly expectedHash: string
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
    default:
      return proof satisfies never
  }
}

const verifyGivenBundle = async (
  given: GivenBundle,
  { keyrings, expectedHash }: Given,
): Promise<VerifiedBundle> => {
  const { read } = given
  const report = await verifyBundle(read, {
    keyrings,
    expectedHash: expectedHash.trim() === '' ? undefined : expectedHash,
  })
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
  { keyrings, expectedHash, signal }: Given,
): Promise<VerifiedEvidence> => {
  const { manifest } = given
  const digest = digestIn(expectedHash)
  const isOfManifest = manifest !== undefined && digest !== undefined
  const entry = isOfManifest ? await entryOf(manifest, digest, signal) : undefined
  const evidence =
    manifest === undefined || entry === undefined
      ? given.evidence
      : readEvidenceValue(evidenceOfEntry(manifest.read, entry.index, entry))
  const verified = await verifyEvidence(
    evidence,
    { keyrings },
    isOfManifest && entry === undefined ? undefined : digest,
  )
  const report = isOfManifest && entry === undefined ? lackingFile(verified, manifest.entries) : verified
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

const verifyGivenOts = async (
  given: GivenOts,
  { expectedHash, merkleRoots }: Given,
): Promise<VerifiedOts> => {
  const { read } = given
  const report = await verifyOts(read, { merkleRoots }, digestIn(expectedHash))
  return {
    kind: 'ots',
    given,
    report,
    judgement: { ...judgeOts(read, report), verdict: report.verdict },
    steps: report.rows,
    document: shownOts(read, report),
  }
}

/** What is no hex is the digest of no file. */
const digestIn = (text: string): Uint8Array | undefined =>
  text.trim() === '' ? undefined : (hexOrUndefined(text.trim().toLowerCase()) ?? new Uint8Array())

type FoundEntry = ManifestEntry & { readonly index: number }

/** The first entry with this digest. */
const entryOf = async (
  { file, hashType }: GivenManifest,
  digest: Uint8Array,
  signal: AbortSignal,
): Promise<FoundEntry | undefined> => {
  let found: FoundEntry | undefined
  const isIt = ({ type, value }: TreeEntry): boolean => type === hashType && bytesEqual(value, digest)
  await readTreeManifest(piecesOf(file), (entry, index) => {
    signal.throwIfAborted()
    if (found === undefined && isIt(entry.entry)) found = { ...entry, index }
  })
  return found
}
