// The verdict in one word, the sentence below it, what is stated, and what the verdict does not say.
import './verify.css'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy_button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { shownText } from '../ui/shown_text.tsx'
import { BundleStated } from './bundle_stated.tsx'
import { EvidenceStated } from './evidence_stated.tsx'
import { OtsStated } from './ots_stated.tsx'
import type { Verified } from './verify_given.ts'

export const VerdictPlate = ({ verified }: { verified: Verified }) => {
  const { judgement, document } = verified
  const { verdict, headline, sentence, reservations } = judgement
  const advice = verified.kind === 'ots' ? undefined : advices[verdict]
  return (
    <section className="verdict" data-verdict={verdict} data-testid="verdict" aria-labelledby="verdict">
      <span className="verdict-mark">
        <Icon name={marks[verdict]} />
      </span>
      <div>
        <h2 id="verdict">{headline}</h2>
        <p className="verdict-sentence">{shownText(sentence)}</p>
        {advice !== undefined && <p className="verdict-sentence">{advice}</p>}
        <dl className="verdict-facts">{stated(verified)}</dl>
        {reservations.length > 0 && (
          <ul className="reservations" data-testid="reservations">
            {reservations.map((words) => (
              <li key={words}>{shownText(words)}</li>
            ))}
          </ul>
        )}
        <CopyButton text={JSON.stringify(document, null, 2)} what="report as JSON" caption="Copy report" />
      </div>
    </section>
  )
}

const stated = (verified: Verified): ReactNode => {
  switch (verified.kind) {
    case 'bundle':
      return <BundleStated verified={verified} />
    case 'evidence':
      return <EvidenceStated verified={verified} />
    case 'ots':
      return <OtsStated verified={verified} />
    default:
      return verified satisfies never
  }
}

type AnyVerdict = Verified['judgement']['verdict']

const marks: Readonly<Record<AnyVerdict, IconName>> = {
  valid: 'done',
  not_yet: 'past',
  not_asked: 'help',
  key_open: 'help',
  invalid: 'close',
  not_valid: 'close',
}

const advices: Readonly<Partial<Record<AnyVerdict, string>>> = {
  key_open: 'If you trust the service that made it, add its keyring under “Whose keys count”.',
  not_yet: 'Keep this file: it is filled once there is a proof, by the command “upgrade” of the verifier.',
}
