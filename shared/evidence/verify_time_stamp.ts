// Verifies a time-stamp token: by its certificate while that is to be trusted, and by its evidence in a ledger when it has
// ended or was revoked. Every check is a row, and none stops the run.
import { carried } from '../proof/bundle/bundle_parts.ts'
import { bytesEqual, fromBase64, toHex } from '../proof/bytes.ts'
import { sha256 } from '../proof/domain_hash.ts'
import { ulidTime, uuid7Time } from '../proof/ids.ts'
import { shown, utcSeconds } from '../proof/verify/carried_values.ts'
import { type Finding, fail, info, pass, type Row, warn, warningsIn } from '../proof/verify/report.ts'
import {
  chainOf,
  isSelfIssued,
  purposeFindings,
  readCertificate,
  signatureFindings,
  signerCertificate,
} from '../time_stamps/certificate_chain.ts'
import { type ReadTimeStamp, readTimeStamp, TimeStampRejected } from '../time_stamps/read_time_stamp.ts'
import { revocationOf } from '../time_stamps/revocation_list.ts'
import { tokenSerial } from '../time_stamps/token_marks.ts'
import { bundleFacts } from '../verifier/bundle_facts.ts'
import { failedSteps } from '../verifier/step_words.ts'
import { type Judgement, shownTime } from '../verifier/verdict.ts'
import type { TreeEntry } from './digest_tree.ts'
import type { EvidenceFile } from './evidence.ts'
import { digestFindings, inGroup } from './rows.ts'
import type { EvidenceReport } from './verify_evidence.ts'

/**
 * `valid`: the certificate held at the time of the token, and nobody says that it was revoked. `preserved`: a ledger has the
 * token since its time, in a block from before the end of the certificate and before it was revoked. `unsupported`: the
 * signature fits, and nothing shows that it was made at that time.
 */
export type TimeStampVerdict = 'valid' | 'preserved' | 'unsupported' | 'not_valid'

type TimeStampReport = Readonly<Awaited<ReturnType<typeof verifyTimeStamp>>>

/** What the reader has besides the token. */
export interface TimeStampTrust {
  /** Roots that the reader trusts, DER. One that only came in the token counts for nothing. */
  readonly roots: readonly Uint8Array[]
  /** Certificates for the way there, DER. */
  readonly others?: readonly Uint8Array[]
  /** Since when the certificate is revoked, in Unix milliseconds, as somebody says whom the reader believes. */
  readonly revokedAtMs?: number | undefined
  /** Lists of revoked certificates, DER. One counts when the issuer has signed it. */
  readonly revocationLists?: readonly Uint8Array[]
  /** The evidence file of the token, and what came of its verification. */
  readonly evidence?: { readonly file: EvidenceFile; readonly report: EvidenceReport } | undefined
}

/** @param fileDigest of the file at hand, by the hash function of the imprint */
export async function verifyTimeStamp(stamp: ReadTimeStamp, trust: TimeStampTrust, fileDigest?: Uint8Array) {
  const given = [...stamp.certificates, ...(trust.others ?? []), ...trust.roots]
  const others = given.flatMap((one) => readCertificate(one) ?? [])
  // A chain that the reader names has others beside the root, which are no reason to trust anything.
  const roots = trust.roots.flatMap((one) => readCertificate(one) ?? []).filter(isSelfIssued)
  const leaf = signerCertificate(stamp, others)
  const { timeMs } = stamp
  const integrity: Row[] = [
    ...inGroup('Digest', imprintFindings(stamp, fileDigest)),
    ...inGroup(
      'Signature',
      leaf === undefined
        ? [fail('The certificate that signed it is neither in it nor at hand.')]
        : await signatureFindings(stamp, leaf),
    ),
  ]
  const chain = leaf && (await chainOf(leaf, { roots, others, timeMs }))
  const listed = chain && (await revocationOf(chain.path, trust.revocationLists ?? [], others))
  const certificate: Row[] =
    leaf === undefined
      ? []
      : inGroup('Certificate', [
          ...purposeFindings(leaf, timeMs),
          ...(chain?.findings ?? []),
          ...(listed?.findings ?? []),
        ])
  const revokedAtMs = earliest(trust.revokedAtMs, listed?.sinceMs)
  const revocation = inGroup('Certificate', revocationFindings(revokedAtMs))
  const endMs = Math.min(leaf?.notAfter.value.getTime() ?? 0, revokedAtMs ?? Number.POSITIVE_INFINITY)
  const evidence = inGroup('Evidence', evidenceFindings(stamp, trust.evidence, endMs))
  const verdict = verdictOf({ integrity, certificate, evidence }, revokedAtMs !== undefined)
  return { verdict, rows: [...integrity, ...certificate, ...revocation, ...evidence] }
}

const earliest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

const holds = (rows: readonly Row[]): boolean => rows.every(({ status }) => status !== 'fail')

function verdictOf(
  { integrity, certificate, evidence }: Record<'integrity' | 'certificate' | 'evidence', readonly Row[]>,
  isRevoked: boolean,
): TimeStampVerdict {
  if (!holds(integrity)) return 'not_valid'
  if (!holds(certificate)) return 'unsupported'
  if (evidence.length > 0 && holds(evidence)) return 'preserved'
  return isRevoked ? 'unsupported' : 'valid'
}

function imprintFindings({ imprint, timeMs }: ReadTimeStamp, fileDigest: Uint8Array | undefined): Finding[] {
  const { hash, digest } = imprint
  if (hash === undefined) return [fail('Its imprint is by a hash function that is not known here.')]
  return [
    info(`It says that this digest was there at ${utcSeconds(timeMs) ?? 'no known time'}.`),
    ...digestFindings({ type: hash, value: digest }, fileDigest),
  ]
}

const revocationFindings = (revokedAtMs: number | undefined): Finding[] =>
  revokedAtMs === undefined
    ? []
    : [
        warn(
          `Its certificate, or one that it rests on, was revoked at ${utcSeconds(revokedAtMs) ?? 'no known time'}: alone it shows nothing any more.`,
        ),
      ]

/** Between the time of a token and that of the item of its round. A round lasts for four seconds at most. */
const MOST_APART_MS = 10_000

/** @param endMs from when on the certificate shows nothing, in Unix milliseconds */
function evidenceFindings(
  { token, serial, timeMs }: ReadTimeStamp,
  evidence: TimeStampTrust['evidence'],
  endMs: number,
): Finding[] {
  if (evidence === undefined) return []
  const { file, report } = evidence
  const { digest, trees, item } = file
  const own = toHex(sha256(token))
  const isAboutIt = digest.type === 'rfc3161-token' && toHex(digest.value) === own
  const metadata = carried(item.claims, 'metadata')
  const round = carried(metadata, 'round')
  const index = trees[0]?.index
  const isItsPlace =
    typeof round === 'number' &&
    Number.isSafeInteger(round) &&
    index !== undefined &&
    tokenSerial(round, index) === serial
  const apartMs = Math.abs(ulidTime(item.id) - timeMs)
  const blockId = report.bundle && bundleFacts(report.bundle.read).blockId
  const blockMs = blockId === undefined ? undefined : uuid7Time(blockId)
  return [
    isAboutIt ? pass('The evidence is about this token.') : fail('The evidence is about another token.'),
    report.verdict === 'valid' ? pass('The evidence is valid.') : fail('The evidence is not a valid proof.'),
    isItsPlace
      ? pass('The serial number is that of its place in its round.')
      : fail('The serial number is that of another place.'),
    apartMs <= MOST_APART_MS
      ? pass('Its round was recorded at its time.')
      : fail('Its round was recorded at another time.'),
    blockMs !== undefined && blockMs < endMs
      ? pass('Its block is older than the end of the certificate.')
      : fail('Its block is not older than the end of the certificate.'),
  ]
}

/**
 * What the token in an evidence file says of its digest, or of an entry `rfc3161-token`, whether it is that very token.
 * @param base64 of the token, or of the response around it
 */
export async function carriedStampFindings(
  base64: string,
  { type, value }: TreeEntry,
  trust: TimeStampTrust,
): Promise<Finding[]> {
  let stamp: ReadTimeStamp
  try {
    stamp = readTimeStamp(fromBase64(base64))
  } catch (error) {
    if (!(error instanceof TimeStampRejected || error instanceof RangeError)) throw error
    return [fail(`The time stamp in it cannot be read: ${error.message}.`)]
  }
  const { imprint, token, timeMs } = stamp
  const isIt =
    type === 'rfc3161-token'
      ? bytesEqual(sha256(token), value)
      : imprint.hash === type && bytesEqual(imprint.digest, value)
  if (!isIt)
    return [
      fail(
        type === 'rfc3161-token'
          ? 'The time stamp in it is not the token that this is about. A program may have written it anew.'
          : 'The time stamp in it is about another digest.',
      ),
    ]
  const { verdict } = await verifyTimeStamp(stamp, trust)
  const time = shownTime(utcSeconds(timeMs) ?? 'no known time')
  if (verdict === 'not_valid') return [fail('The signature of the time stamp in it does not fit.')]
  return verdict === 'unsupported'
    ? [warn(`The time stamp in it says ${time}, and its certificate is not trusted here.`)]
    : [pass(`The time stamp in it is valid, and says ${time}.`)]
}

export const shownTimeStamp = (
  { imprint, serial, timeMs }: ReadTimeStamp,
  { verdict, rows }: TimeStampReport,
): object => ({
  verdict,
  digest: { type: imprint.hash ?? null, value: shown(imprint.digest) },
  time: utcSeconds(timeMs) ?? null,
  serial_number: serial.toString(16),
  rows,
})

/** @param sayTime how its sentence says a time, of ISO 8601 */
export const judgeTimeStamp = (
  stamp: ReadTimeStamp,
  { verdict, rows }: TimeStampReport,
  sayTime = shownTime,
): Judgement<TimeStampVerdict> => ({
  verdict,
  headline: HEADLINES[verdict],
  sentence: sentenceOf(stamp, { verdict, rows }, sayTime),
  reservations: verdict === 'not_valid' ? [] : warningsIn(rows),
})

const HEADLINES: Readonly<Record<TimeStampVerdict, string>> = {
  valid: 'Valid',
  preserved: 'Preserved',
  unsupported: 'Unsupported',
  not_valid: 'Not valid',
}

function sentenceOf(
  { imprint, timeMs }: ReadTimeStamp,
  { verdict, rows }: TimeStampReport,
  sayTime: typeof shownTime,
): string {
  const at = utcSeconds(timeMs)
  const time = at === undefined ? 'no known time' : sayTime(at)
  const failed = failedSteps(rows)
  const was = `What has this ${imprint.hash ?? 'unknown'} digest was there at ${time}`
  switch (verdict) {
    case 'valid':
      return `${was}, as long as the certificate is trusted.`
    case 'preserved':
      return `${was}, whatever became of the certificate: a ledger has the token since then.`
    case 'unsupported':
      return `The signature fits, and nothing shows that it was made at ${time}${failed === '' ? '' : ` (${failed})`}.`
    case 'not_valid':
      return `Failed: ${failed}.`
    default:
      return verdict satisfies never
  }
}
