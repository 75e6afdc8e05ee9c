// What a proof states: its subject, its times and its key. What is not valid, or signed by nobody known, states nothing.
import { toHex } from '../../../shared/proof/bytes.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime } from '../../../shared/verifier/verdict.ts'
import { plural } from '../ui/format.ts'
import { subjectPath } from './given_proof.ts'
import type {
  Verified,
  VerifiedBundle,
  VerifiedEvidence,
  VerifiedOts,
  VerifiedTimeStamp,
} from './verify_given.ts'

type Fact = {
  /** Foreign text, as the value and the title. */
  readonly name: string
  readonly value: string
  /** What people call it. */
  readonly title?: string | undefined
  /** Its page in the console. */
  readonly path?: string | null
  /** An id or a digest, which needs a line of its own. */
  readonly isWide?: boolean
}

export const stated = (verified: Verified): readonly Fact[] => {
  switch (verified.kind) {
    case 'bundle':
      return ofBundle(verified)
    case 'evidence':
      return ofEvidence(verified)
    case 'ots':
      return ofOts(verified)
    case 'time_stamp':
      return ofTimeStamp(verified)
    default:
      return verified satisfies never
  }
}

const timesOf = (...of: Parameters<typeof namedTimes>): readonly Fact[] =>
  namedTimes(...of).map(({ name, time }) => ({ name, value: shownTime(time) }))

const ofBundle = ({ report, judgement: { verdict }, given: { facts } }: VerifiedBundle): readonly Fact[] => {
  const claimed = verdict === 'valid' ? '' : ', as claimed'
  return [
    {
      name: report.source.replaceAll('_', ' ') + claimed,
      value: report.id ?? '(unreadable)',
      title: facts.name,
      path: subjectPath(report.source, report.id),
      isWide: true,
    },
    ...timesOf(report, verdict, facts),
    {
      name: `${verdict === 'valid' ? 'signed by key' : 'names key'} ${facts.keyId ?? '(unreadable)'}${claimed}`,
      value: report.generated_at === null ? 'at no readable time' : shownTime(report.generated_at),
    },
  ]
}

const ofEvidence = (verified: VerifiedEvidence): readonly Fact[] => {
  const { given, report } = verified
  const { item } = given.evidence
  const isSigned = report.verdict === 'valid' || report.verdict === 'not_yet'
  const claimed = isSigned ? '' : ', as claimed'
  const { bundle } = report
  return [
    aboutOf(verified),
    {
      name: `item of ${item.service}, as the file says`,
      value: item.id,
      path: subjectPath('item', item.id),
      isWide: true,
    },
    { name: `accepted${claimed}`, value: readableTime(report.acceptedAt) },
    ...(bundle === undefined
      ? []
      : timesOf(bundle.report, report.verdict === 'valid' ? 'valid' : 'invalid', bundleFacts(bundle.read))),
    { name: `${isSigned ? 'signed by key' : 'names key'}${claimed}`, value: toHex(item.signingKeyId) },
  ]
}

/** The path of an entry is covered by the tree. The name in the evidence of one file is a hint that nothing proves. */
const aboutOf = ({ given: { evidence, manifest }, entry }: VerifiedEvidence): Fact => {
  if (manifest !== undefined)
    return {
      name: `manifest of ${plural(manifest.entries, 'file')}`,
      value: entry?.path ?? 'no file of it was compared',
      isWide: entry !== undefined,
    }
  const { digest, name } = evidence
  return {
    name: `${digest.type} of a file`,
    title: name === undefined ? undefined : `${name}, as the file says`,
    value: toHex(digest.value),
    isWide: true,
  }
}

/** Of an .ots file: the digest of a file, and the Bitcoin blocks that attest to it. */
const ofOts = ({ given: { read }, report }: VerifiedOts): readonly Fact[] => [
  { name: `${read.hashType} of a file`, value: toHex(read.digest), isWide: true },
  ...report.blocks.map(({ height, merkleRoot, confirmedBy }) => ({
    name: `Bitcoin block ${height}${
      confirmedBy === undefined
        ? ', not confirmed, must have Merkle root'
        : ' has, as you entered it, Merkle root'
    }`,
    value: merkleRoot,
    isWide: true,
  })),
]

/** Of a time stamp by RFC 3161: the digest, the time, and where it stands. */
const ofTimeStamp = ({ given, judgement: { verdict } }: VerifiedTimeStamp): readonly Fact[] => {
  const { imprint, timeMs, serial } = given.read
  const isShown = verdict === 'valid' || verdict === 'preserved'
  return [
    { name: `${imprint.hash ?? 'digest'} of a file`, value: toHex(imprint.digest), isWide: true },
    { name: `was there${isShown ? '' : ', as claimed'}`, value: readableTime(timeMs) },
    { name: 'serial number', value: serial.toString(16) },
  ]
}

const readableTime = (ms: number): string => shownTime(utcSeconds(ms) ?? 'at no readable time')
