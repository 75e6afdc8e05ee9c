// Judges one thing that somebody wants verified, whatever kind it is of, and knows how to print what came of it.
import { type Surroundings, textOption, type Values } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode } from '../../../shared/cli/terminal.ts'
import type { EntryType } from '../../../shared/evidence/digest_tree.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import type { GivenProof } from '../../../shared/evidence/read_given.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { judgeOts, shownOts, verifyOts } from '../../../shared/evidence/verify_ots.ts'
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { fromHex, hexOrUndefined } from '../../../shared/proof/bytes.ts'
import { isHashType } from '../../../shared/proof/claims.ts'
import type { OtsHash } from '../../../shared/proof/opentimestamps/ots_format.ts'
import type { ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { type Judgement, judgeReport } from '../../../shared/verifier/verdict.ts'
import type { ClientProof } from '../given_proof.ts'
import { hashData } from '../hash_data.ts'
import { type AnyVerdict, printEvidence, printOts, printReport, printTimeStamp } from './print_report.ts'
import { stampTrust } from './stamp_trust.ts'

export interface JudgedProof extends Omit<Judgement, 'verdict'> {
  /** The verdict, or what --any-key makes of it. */
  readonly counted: AnyVerdict
  readonly code: ExitCode
  /** The report as JSON. */
  readonly shown: object
  /** Prints every step. */
  readonly print: () => void
}

/** @throws Complaint when it cannot be compared with the file or the digest that the options name */
export function judge(
  surroundings: Surroundings,
  values: Values,
  given: ClientProof,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  switch (given.kind) {
    case 'evidence':
      return judgedEvidence(surroundings, values, given, trust)
    case 'ots':
      return judgedOts(surroundings, values, given.read, trust)
    case 'time_stamp':
      return judgedTimeStamp(surroundings, values, given, trust)
    case 'bundle':
      return judgedBundle(surroundings, values, given.read, trust)
    default:
      return given satisfies never
  }
}

async function judgedBundle(
  surroundings: Surroundings,
  values: Values,
  read: ReadBundle,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  const { keyrings } = trust
  const expectedHash = await expectedHashOf(surroundings, values, read)
  const report = await verifyBundle(read, { ...trust, expectedHash })
  const { verdict, ...judgement } = judgeReport(read, report, keyrings)
  const counted = countedAs(values, verdict, 'valid')
  const printed = { read, report, judgement: { ...judgement, verdict }, keyrings, counted }
  return {
    ...judgement,
    counted,
    code: EXIT_CODES[counted],
    shown: report,
    print: () => printReport(surroundings, printed),
  }
}

async function judgedEvidence(
  surroundings: Surroundings,
  values: Values,
  { evidence, manifest }: Extract<GivenProof, { kind: 'evidence' }>,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  const { keyrings } = trust
  const entries = manifest && manifest.tree.size - 1
  if (entries !== undefined && (values.file !== undefined || values['expected-hash'] !== undefined))
    throw new Complaint('A manifest is about many files: there is no single one to compare with.', {
      advice: 'Verify it without --file and --expected-hash.',
    })
  const fileDigest = await fileDigestOf(surroundings, values, evidence.digest.type)
  const report = await verifyEvidence(evidence, trust, fileDigest)
  const judgement = judgeEvidence(evidence, report, keyrings)
  const counted = countedAs(values, report.verdict, report.bundle === undefined ? 'not_yet' : 'valid')
  return {
    ...judgement,
    counted,
    code: EXIT_CODES[counted],
    shown: shownReport(evidence, report),
    print: () => printEvidence(surroundings, { evidence, entries, report, judgement, keyrings, counted }),
  }
}

async function judgedOts(
  surroundings: Surroundings,
  values: Values,
  read: ReadOts,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  const fileDigest = await fileDigestOf(surroundings, values, read.hashType)
  const report = await verifyOts(read, trust, fileDigest)
  const judgement = judgeOts(read, report)
  return {
    ...judgement,
    counted: report.verdict,
    code: EXIT_CODES[report.verdict],
    shown: shownOts(read, report),
    print: () => printOts(surroundings, { read, report, judgement }),
  }
}

async function judgedTimeStamp(
  surroundings: Surroundings,
  values: Values,
  { read, beside }: Extract<ClientProof, { kind: 'time_stamp' }>,
  trust: EvidenceTrust,
): Promise<JudgedProof> {
  // What reads certificates is large, and needed here alone.
  const { judgeTimeStamp, shownTimeStamp, verifyTimeStamp } = await import(
    '../../../shared/evidence/verify_time_stamp.ts'
  )
  const { hash } = read.imprint
  const fileDigest = hash && (await fileDigestOf(surroundings, values, hash))
  const evidence = beside && { file: beside, report: await verifyEvidence(beside, trust) }
  const report = await verifyTimeStamp(
    read,
    { ...(await stampTrust(surroundings, values)), evidence },
    fileDigest,
  )
  const judgement = judgeTimeStamp(read, report)
  return {
    ...judgement,
    counted: report.verdict,
    code: EXIT_CODES[report.verdict],
    shown: shownTimeStamp(read, report),
    print: () => printTimeStamp(surroundings, { read, report, judgement }),
  }
}

const EXIT_CODES: Readonly<Record<AnyVerdict, ExitCode>> = {
  valid: 0,
  preserved: 0,
  not_yet: 3,
  not_asked: 2,
  key_open: 1,
  unsupported: 1,
  invalid: 1,
  not_valid: 1,
}

/** @param known the verdict if the key were a known one: a receipt is without a proof by any key */
const countedAs = (values: Values, verdict: AnyVerdict, known: 'valid' | 'not_yet'): AnyVerdict =>
  verdict === 'key_open' && values['any-key'] === true ? known : verdict

async function expectedHashOf(
  { terminal }: Surroundings,
  values: Values,
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
  { terminal }: Surroundings,
  values: Values,
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
