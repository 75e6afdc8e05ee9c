// Verifies a proof that was read, in this browser, and asks nobody.
import { readEvidenceValue } from '../../../shared/evidence/evidence.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import { evidenceOfEntry, readTreeManifest } from '../../../shared/evidence/manifest.ts'
import type { ManifestEntry } from '../../../shared/evidence/manifest_tree.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { lackingFile, verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { judgeOts, shownOts, verifyOts } from '../../../shared/evidence/verify_ots.ts'
import { bytesEqual, hexOrUndefined } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { judgeReport } from '../../../shared/verifier/verdict.ts'
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

export type VerifiedBundle = Awaited<ReturnType<typeof verifyGivenBundle>>
export type VerifiedEvidence = Awaited<ReturnType<typeof verifyGivenEvidence>>
export type VerifiedOts = Awaited<ReturnType<typeof verifyGivenOts>>
export type VerifiedTimeStamp = Awaited<ReturnType<typeof verifyGivenTimeStamp>>
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

const verifyGivenBundle = async (given: GivenBundle, { keyrings, digests: [digest] }: Given) => {
  const { read } = given
  const report = await verifyBundle(read, { keyrings, expectedHash: digest?.hex })
  return {
    kind: 'bundle' as const,
    given,
    report,
    judgement: judgeReport(read, report, keyrings),
    steps: report.steps,
    /** What the verifier prints with --json, as in the others. */
    document: report,
  }
}

const verifyGivenEvidence = async (given: GivenEvidence, { keyrings, digests, signal }: Given) => {
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
    kind: 'evidence' as const,
    given,
    report,
    /** The entry of a manifest that the file at hand is. */
    entry,
    judgement: judgeEvidence(evidence, report, keyrings),
    steps: [...report.rows, ...(report.bundle?.report.steps ?? [])],
    document: shownReport(evidence, report),
  }
}

const verifyGivenOts = async (given: GivenOts, { digests, merkleRoots }: Given) => {
  const { read } = given
  const report = await verifyOts(read, { merkleRoots }, firstOf(digests))
  return {
    kind: 'ots' as const,
    given,
    report,
    judgement: judgeOts(read, report),
    steps: report.rows,
    document: shownOts(read, report),
  }
}

/** By the root of this service. What verifies certificates is large, and loaded for them alone. */
const stampChecking = (signal: AbortSignal) =>
  Promise.all([import('../../../shared/evidence/verify_time_stamp.ts'), fetchOwnRoots(signal)])

const verifyGivenTimeStamp = async (given: GivenTimeStamp, { keyrings, digests, signal }: Given) => {
  const [{ judgeTimeStamp, shownTimeStamp, verifyTimeStamp }, roots] = await stampChecking(signal)
  const { read, evidence: file } = given
  const evidence = file && { file, report: await verifyEvidence(file, { keyrings }) }
  const report = await verifyTimeStamp(read, { roots, evidence }, firstOf(digests))
  return {
    kind: 'time_stamp' as const,
    given,
    report,
    judgement: judgeTimeStamp(read, report),
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
