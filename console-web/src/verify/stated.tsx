// What a proof states: its subject, its times and its key. What is not valid, or signed by nobody known, states nothing.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { toHex } from '../../../shared/proof/bytes.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime } from '../../../shared/verifier/verdict.ts'
import { plural } from '../ui/format.ts'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { subjectPath } from './given_proof.ts'
import type { VerifiedBundle, VerifiedEvidence, VerifiedOts, VerifiedTimeStamp } from './verify_given.ts'

type FactProps = { readonly name: ReactNode; readonly isWide?: boolean; readonly children: ReactNode }

const Fact = ({ name, isWide = false, children }: FactProps) => (
  <div className={isWide ? 'wide' : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Times = ({ of }: { of: Parameters<typeof namedTimes> }) =>
  namedTimes(...of).map(({ name, time }) => (
    <Fact key={name} name={name}>
      {shownTime(time)}
    </Fact>
  ))

export const BundleStated = ({ verified }: { verified: VerifiedBundle }) => {
  const { facts } = verified.given
  const { report } = verified
  const { verdict } = verified.judgement
  const path = subjectPath(report.source, report.id)
  const claimed = verdict === 'valid' ? '' : ', as claimed'
  return (
    <>
      <Fact isWide name={shownText(report.source.replaceAll('_', ' ')) + claimed}>
        {facts.name !== undefined && (
          <strong>
            <Shown text={facts.name} />{' '}
          </strong>
        )}
        {path === null ? (
          <code>{shownText(report.id ?? '(unreadable)')}</code>
        ) : (
          <Link to={path}>{report.id}</Link>
        )}
      </Fact>
      <Times of={[report, verdict, facts]} />
      <Fact
        name={`${verdict === 'valid' ? 'signed by key' : 'names key'} ${shownText(facts.keyId ?? '(unreadable)')}${claimed}`}
      >
        {report.generated_at === null ? 'at no readable time' : shownTime(report.generated_at)}
      </Fact>
    </>
  )
}

export const EvidenceStated = ({ verified }: { verified: VerifiedEvidence }) => {
  const { given, report } = verified
  const { item } = given.evidence
  const path = subjectPath('item', item.id)
  const isSigned = report.verdict === 'valid' || report.verdict === 'not_yet'
  const timesVerdict = report.verdict === 'valid' ? 'valid' : 'invalid'
  const claimed = isSigned ? '' : ', as claimed'
  return (
    <>
      <About verified={verified} />
      <Fact isWide name={`item of ${shownText(item.service)}, as the file says`}>
        {path === null ? <code>{item.id}</code> : <Link to={path}>{item.id}</Link>}
      </Fact>
      <Fact name={`accepted${claimed}`}>
        {shownTime(utcSeconds(report.acceptedAt) ?? 'at no readable time')}
      </Fact>
      {report.bundle !== undefined && (
        <Times of={[report.bundle.report, timesVerdict, bundleFacts(report.bundle.read)]} />
      )}
      <Fact name={`${isSigned ? 'signed by key' : 'names key'}${claimed}`}>
        <code>{toHex(item.signingKeyId)}</code>
      </Fact>
    </>
  )
}

/** The path of an entry is covered by the tree. The name in the evidence of one file is a hint that nothing proves. */
const About = ({ verified: { given, entry } }: { verified: VerifiedEvidence }) => {
  const { evidence, manifest } = given
  if (manifest !== undefined)
    return (
      <Fact isWide name={`manifest of ${plural(manifest.entries, 'file')}`}>
        {entry === undefined ? 'no file of it was compared' : <Shown text={entry.path} />}
      </Fact>
    )
  return (
    <Fact isWide name={`${evidence.digest.type} of a file`}>
      {evidence.name !== undefined && (
        <>
          <strong>
            <Shown text={evidence.name} />
          </strong>{' '}
          as the file says{' '}
        </>
      )}
      <code>{toHex(evidence.digest.value)}</code>
    </Fact>
  )
}

/** Of an .ots file: the digest of a file, and the Bitcoin blocks that attest to it. */
export const OtsStated = ({ verified: { given, report } }: { verified: VerifiedOts }) => (
  <>
    <Fact isWide name={`${given.read.hashType} of a file`}>
      <code>{toHex(given.read.digest)}</code>
    </Fact>
    {report.blocks.map(({ height, merkleRoot, confirmedBy }) => (
      <Fact
        key={`${height} ${merkleRoot}`}
        isWide
        name={`Bitcoin block ${height}${
          confirmedBy === undefined
            ? ', not confirmed, must have Merkle root'
            : ' has, as you entered it, Merkle root'
        }`}
      >
        <code>{merkleRoot}</code>
      </Fact>
    ))}
  </>
)

/** Of a time stamp by RFC 3161: the digest, the time, and where it stands. */
export const TimeStampStated = ({ verified: { given, judgement } }: { verified: VerifiedTimeStamp }) => {
  const { imprint, timeMs, serial } = given.read
  const isShown = judgement.verdict === 'valid' || judgement.verdict === 'preserved'
  return (
    <>
      <Fact isWide name={`${imprint.hash ?? 'digest'} of a file`}>
        <code>{toHex(imprint.digest)}</code>
      </Fact>
      <Fact name={`was there${isShown ? '' : ', as claimed'}`}>
        {shownTime(utcSeconds(timeMs) ?? 'at no readable time')}
      </Fact>
      <Fact name="serial number">
        <code>{serial.toString(16)}</code>
      </Fact>
    </>
  )
}
