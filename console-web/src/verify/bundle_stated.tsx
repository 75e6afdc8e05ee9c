// What a bundle states: its subject, its times and its key. What is not valid, or signed by nobody known, states nothing.
import { Link } from 'wouter'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime } from '../../../shared/verifier/verdict.ts'
import { subjectPath } from '../proofs/subject_path.ts'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { VerifiedBundle } from './verify_given.ts'

export const BundleStated = ({
  verified: {
    given: { facts },
    report,
    judgement: { verdict },
  },
}: {
  verified: VerifiedBundle
}) => {
  const path = subjectPath(report.source, report.id)
  const claimed = verdict === 'valid' ? '' : ', as claimed'
  return (
    <>
      <div className="wide">
        <dt>
          {shownText(report.source.replaceAll('_', ' '))}
          {claimed}
        </dt>
        <dd>
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
        </dd>
      </div>
      {namedTimes(report, verdict, facts).map(({ name, time }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shownTime(time)}</dd>
        </div>
      ))}
      <div>
        <dt>
          {verdict === 'valid' ? 'signed by key' : 'names key'} {shownText(facts.keyId ?? '(unreadable)')}
          {claimed}
        </dt>
        <dd>{report.generated_at === null ? 'at no readable time' : shownTime(report.generated_at)}</dd>
      </div>
    </>
  )
}
