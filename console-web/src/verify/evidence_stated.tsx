// What evidence states: the file or the files that it is about, the item, its times and its key.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { toHex } from '../../../shared/proof/bytes.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime } from '../../../shared/verifier/verdict.ts'
import { subjectPath } from '../proofs/subject_path.ts'
import { plural } from '../ui/format_count.ts'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { VerifiedEvidence } from './verify_given.ts'

export const EvidenceStated = ({ verified }: { verified: VerifiedEvidence }) => {
  const { given, report } = verified
  const { item } = given.evidence
  const path = subjectPath('item', item.id)
  const isSigned = report.verdict === 'valid' || report.verdict === 'not_yet'
  const timesVerdict = report.verdict === 'valid' ? 'valid' : 'invalid'
  const claimed = isSigned ? '' : ', as claimed'
  return (
    <>
      <div className="wide">{aboutOf(verified)}</div>
      <div className="wide">
        <dt>item of {shownText(item.service)}, as the file says</dt>
        <dd>{path === null ? <code>{item.id}</code> : <Link to={path}>{item.id}</Link>}</dd>
      </div>
      <div>
        <dt>accepted{claimed}</dt>
        <dd>{shownTime(utcSeconds(report.acceptedAt) ?? 'at no readable time')}</dd>
      </div>
      {report.bundle !== undefined &&
        namedTimes(report.bundle.report, timesVerdict, bundleFacts(report.bundle.read)).map(
          ({ name, time }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shownTime(time)}</dd>
            </div>
          ),
        )}
      <div>
        <dt>
          {isSigned ? 'signed by key' : 'names key'}
          {claimed}
        </dt>
        <dd>
          <code>{toHex(item.signingKeyId)}</code>
        </dd>
      </div>
    </>
  )
}

/** The path of an entry is covered by the tree. The name in the evidence of one file is a hint that nothing proves. */
const aboutOf = ({ given, entry }: VerifiedEvidence): ReactNode => {
  const { evidence, manifest } = given
  if (manifest === undefined)
    return (
      <>
        <dt>{evidence.digest.type} of a file</dt>
        <dd>
          {evidence.name !== undefined && (
            <>
              <strong>
                <Shown text={evidence.name} />
              </strong>{' '}
              as the file says{' '}
            </>
          )}
          <code>{toHex(evidence.digest.value)}</code>
        </dd>
      </>
    )
  return (
    <>
      <dt>manifest of {plural(manifest.entries, 'file')}</dt>
      <dd>{entry === undefined ? 'no file of it was compared' : <Shown text={entry.path} />}</dd>
    </>
  )
}
