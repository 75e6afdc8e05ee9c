// The verdict in one word, the sentence below it, and what the verdict does not say.
import './verify.css'

import { Link } from 'wouter'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime, type Verdict } from '../../../shared/verifier/verdict.ts'
import { subjectPath } from '../proofs/subject_path.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { GivenProof } from './given_proof.ts'
import type { Verified } from './use_verification.ts'

type VerdictPlateProps = {
  readonly given: Extract<GivenProof, { kind: 'read' }>
  readonly verified: Verified
}

export const VerdictPlate = ({ given, verified: { report, judgement } }: VerdictPlateProps) => {
  const { verdict, headline, sentence, reservations } = judgement
  const path = subjectPath(report.source, report.id)
  // What is not valid, or signed by nobody known, states nothing.
  const claimed = verdict === 'valid' ? '' : ', as claimed'
  return (
    <section className="verdict" data-verdict={verdict} data-testid="verdict" aria-labelledby="verdict">
      <span className="verdict-mark">
        <Icon name={marks[verdict]} />
      </span>
      <div>
        <h2 id="verdict">{headline}</h2>
        <p className="verdict-sentence">{shownText(sentence)}</p>
        {verdict === 'key_open' && (
          <p className="verdict-sentence">
            If you trust the service that made it, add its keyring under “Whose keys count”.
          </p>
        )}
        <dl className="verdict-facts">
          <div className="wide">
            <dt>
              {shownText(report.source.replaceAll('_', ' '))}
              {claimed}
            </dt>
            <dd>
              {given.facts.name !== undefined && (
                <strong>
                  <Shown text={given.facts.name} />{' '}
                </strong>
              )}
              {path === null ? (
                <code>{shownText(report.id ?? '(unreadable)')}</code>
              ) : (
                <Link to={path}>{report.id}</Link>
              )}
            </dd>
          </div>
          {namedTimes(report, verdict, given.facts).map(({ name, time }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shownTime(time)}</dd>
            </div>
          ))}
          <div>
            <dt>
              {verdict === 'valid' ? 'signed by key' : 'names key'}{' '}
              {shownText(given.facts.keyId ?? '(unreadable)')}
              {claimed}
            </dt>
            <dd>{report.generated_at === null ? 'at no readable time' : shownTime(report.generated_at)}</dd>
          </div>
        </dl>
        {reservations.length > 0 && (
          <ul className="reservations" data-testid="reservations">
            {reservations.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
        <CopyButton text={JSON.stringify(report, null, 2)} what="report as JSON" caption="Copy report" />
      </div>
    </section>
  )
}

const marks: Readonly<Record<Verdict, IconName>> = { valid: 'done', key_open: 'help', invalid: 'close' }
