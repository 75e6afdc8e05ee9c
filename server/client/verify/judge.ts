// Judges one thing that somebody wants verified, whatever kind it is of, and knows how to print what came of it.
import { type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, plural, printable } from '../../../shared/cli/terminal.ts'
import type { EntryType } from '../../../shared/evidence/digest_tree.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import type { GivenProof } from '../../../shared/evidence/read_given.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { judgeOts, shownOts, verifyOts } from '../../../shared/evidence/verify_ots.ts'
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { fromHex, hexOrUndefined, toHex } from '../../../shared/proof/bytes.ts'
import { isHashType } from '../../../shared/proof/claims.ts'
import type { OtsHash } from '../../../shared/proof/opentimestamps/ots_format.ts'
import type { ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { reportCounts } from '../../../shared/verifier/report_summary.ts'
import { judgeReport, shownTime } from '../../../shared/verifier/verdict.ts'
import type { ClientProof } from '../given_proof.ts'
import { hashData } from '../stamp/hash_file.ts'
import { type AnyVerdict, type Printed, VERDICTS } from './print_report.ts'
import { stampTrust } from './stamp_trust.ts'

export interface JudgedProof extends Printed {
  readonly code: ExitCode
  /** The report as JSON. */
  readonly shown: object
}

interface Judged extends Omit<JudgedProof, 'code' | 'counted'> {
  /** The verdict if the key were a known one: a receipt is without a proof by any key. */
  readonly withKnownKey?: AnyVerdict
}

/** @throws Complaint when it cannot be compared with the file or the digest that the options name */
export async function judge(
  surroundings: Surroundings,
  given: ClientProof,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  const { withKnownKey, ...judged } = await judgedOf(surroundings, given, trust)
  const { verdict } = judged
  const isAnyKey = surroundings.values['any-key'] === true
  const counted = verdict === 'key_open' && isAnyKey ? (withKnownKey ?? verdict) : verdict
  return { ...judged, counted, code: VERDICTS[counted].code }
}

function judgedOf(surroundings: Surroundings, given: ClientProof, trust: EvidenceTrust): Promise<Judged> {
  switch (given.kind) {
    case 'evidence':
      return judgedEvidence(surroundings, given, trust)
    case 'ots':
      return judgedOts(surroundings, given.read, trust)
    case 'time_stamp':
      return judgedTimeStamp(surroundings, given, trust)
    case 'bundle':
      return judgedBundle(surroundings, given.read, trust)
    default:
      return given satisfies never
  }
}

async function judgedBundle(
  surroundings: Surroundings,
  read: ReadBundle,
  trust: EvidenceTrust,
): Promise<Judged> {
  const expectedHash = await expectedHashOf(surroundings, read)
  const report = await verifyBundle(read, { ...trust, expectedHash })
  return {
    ...judgeReport(read, report, trust.keyrings),
    title: titleOf(read, report),
    parts: [report.steps],
    counts: reportCounts(report),
    withKnownKey: 'valid',
    shown: report,
  }
}

const titleOf = (read: ReadBundle, report: Report): string[] => {
  const { name, keyId } = bundleFacts(read)
  const titled = name === undefined ? '' : `  ${printable(name)}`
  const signed = report.generated_at === null ? '' : `signed ${shownTime(printable(report.generated_at))} `
  const layout = read.layout === 'compact' ? ', compact layout' : ''
  return [
    `Proof of ${report.source} ${printable(report.id ?? '(no id)')}${titled}`,
    `  ${signed}by key ${keyId ?? '(unreadable)'}${layout}`,
  ]
}

async function judgedEvidence(
  surroundings: Surroundings,
  { evidence, manifest }: Extract<GivenProof, { kind: 'evidence' }>,
  trust: EvidenceTrust,
): Promise<Judged> {
  const { values } = surroundings
  if (manifest !== undefined && (values.file !== undefined || values['expected-hash'] !== undefined))
    throw new Complaint('A manifest is about many files: there is no single one to compare with.', {
      advice: 'Verify it without --file and --expected-hash.',
    })
  const { digest, name, item } = evidence
  const fileDigest = await fileDigestOf(surroundings, digest.type)
  const report = await verifyEvidence(evidence, trust, fileDigest)
  const { rows, bundle } = report
  const what =
    manifest === undefined
      ? `Evidence of ${digest.type} ${toHex(digest.value)}${name === undefined ? '' : `  ${printable(name)}`}`
      : `Manifest of ${plural(manifest.tree.size - 1, 'file')}`
  return {
    ...judgeEvidence(evidence, report, trust.keyrings),
    title: [what, `  item ${item.id} of ${printable(item.service)}`],
    parts: bundle === undefined ? [rows] : [rows, bundle.report.steps],
    withKnownKey: bundle === undefined ? 'not_yet' : 'valid',
    shown: shownReport(evidence, report),
  }
}

async function judgedOts(surroundings: Surroundings, read: ReadOts, trust: EvidenceTrust): Promise<Judged> {
  const fileDigest = await fileDigestOf(surroundings, read.hashType)
  const report = await verifyOts(read, trust, fileDigest)
  return {
    ...judgeOts(read, report),
    title: [`OpenTimestamps proof of ${read.hashType} ${toHex(read.digest)}`],
    parts: [report.rows],
    shown: shownOts(read, report),
  }
}

async function judgedTimeStamp(
  surroundings: Surroundings,
  { read, beside }: Extract<ClientProof, { kind: 'time_stamp' }>,
  trust: EvidenceTrust,
): Promise<Judged> {
  // What reads certificates is large, and needed here alone.
  const { judgeTimeStamp, shownTimeStamp, verifyTimeStamp } = await import(
    '../../../shared/evidence/verify_time_stamp.ts'
  )
  const { hash, digest } = read.imprint
  const fileDigest = hash && (await fileDigestOf(surroundings, hash))
  const evidence = beside && { file: beside, report: await verifyEvidence(beside, trust) }
  const report = await verifyTimeStamp(read, { ...(await stampTrust(surroundings)), evidence }, fileDigest)
  const time = shownTime(utcSeconds(read.timeMs) ?? 'no known time')
  return {
    ...judgeTimeStamp(read, report),
    title: [
      `Time stamp of ${hash ?? 'an unknown'} ${toHex(digest)}`,
      `  ${time}, serial number ${read.serial.toString(16)}`,
    ],
    parts: [report.rows],
    shown: shownTimeStamp(read, report),
  }
}

async function expectedHashOf(
  { terminal, values }: Surroundings,
  read: ReadBundle,
): Promise<string | undefined> {
  const file = textOption(values, 'file')
  if (file === undefined) return textOption(values, 'expected-hash')
  const { claimedHash } = bundleFacts(read)
  if (claimedHash === undefined)
    throw new Complaint(
      read.type === 'item'
        ? 'This item names no digest of a file, or one by a function unknown here: there is nothing to compare with.'
        : `A proof about ${read.type} has no file to compare with.`,
      { advice: 'Verify it without --file.' },
    )
  return hashData(terminal, file, claimedHash.type)
}

/** @param type of the digest in the proof */
async function fileDigestOf(
  { terminal, values }: Surroundings,
  type: EntryType | OtsHash,
): Promise<Uint8Array | undefined> {
  const file = textOption(values, 'file')
  const expected = textOption(values, 'expected-hash')
  if (file === undefined && expected === undefined) return undefined
  // What is no hex is the digest of no file.
  if (file === undefined) return hexOrUndefined((expected ?? '').trim().toLowerCase()) ?? new Uint8Array()
  if (!isHashType(type))
    throw new Complaint(`This is about a digest of type ${type}, which no file can be compared with here.`, {
      advice: 'Verify it without --file.',
    })
  return fromHex(await hashData(terminal, file, type))
}
