// The verdict: a mark, one sentence about the proof and the file together, what is stated, and what it does not say.
import './verify.css'
import { Link } from 'wouter'
import { NO_FILE } from '../../../shared/verifier/verdict.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { plainVerdict, type Tone } from './plain_verdict.ts'
import type { Verified } from './read_proof.ts'

type VerdictPlateProps = {
  readonly verified: Verified
  /** Without what stands behind it. What was not checked is said all the same. */
  readonly isShort?: boolean
}

export const VerdictPlate = ({ verified, isShort = false }: VerdictPlateProps) => {
  const { judgement, document, facts, bitcoinBlocks } = verified
  const { verdict, headline, sentence } = judgement
  // Beside “The file:” it would be said twice.
  const reservations = judgement.reservations.filter((words) => !isShort || words !== NO_FILE)
  // An .ots file is filled by the programs that made it.
  const advice = bitcoinBlocks === undefined ? advices[verdict] : undefined
  const plain = plainVerdict(verified)
  return (
    <section
      className="card verdict"
      data-verdict={verdict}
      data-tone={plain.tone}
      data-testid="verdict"
      aria-labelledby="verdict"
    >
      <span className="verdict-mark">
        <Icon name={marks[plain.tone]} />
      </span>
      <div>
        <p className="verdict-word">{headline}</p>
        <h2 id="verdict" data-testid="verdict-sentence">
          {plain.sentence}
        </h2>
        <ul className="verdict-parts line">
          <li data-tone={plain.proof.tone}>The proof: {plain.proof.words}.</li>
          <li data-tone={plain.file.tone}>The file: {plain.file.words}.</li>
        </ul>
        {!isShort && (
          <>
            <p className="verdict-sentence">{shownText(sentence)}</p>
            {advice !== undefined && <p className="verdict-sentence">{advice}</p>}
            <Stated facts={facts} />
          </>
        )}
        {reservations.length > 0 && (
          <ul className="signs reservations" data-testid="reservations">
            {reservations.map((words) => (
              <li key={words} data-tone="warn" data-sign="!">
                {shownText(words)}
              </li>
            ))}
          </ul>
        )}
        {!isShort && (
          <CopyButton text={JSON.stringify(document, null, 2)} what="report as JSON" caption="Copy report" />
        )}
      </div>
    </section>
  )
}

const Stated = ({ facts }: Pick<Verified, 'facts'>) => (
  <dl className="numbers verdict-facts">
    {facts.map(({ name, value, title, path = null, isWide = false }) => (
      <div key={`${name} ${value}`} className={isWide ? 'wide' : undefined}>
        <dt>{shownText(name)}</dt>
        <dd>
          {title !== undefined && (
            <strong>
              <Shown text={title} />{' '}
            </strong>
          )}
          {path !== null ? <Link to={path}>{value}</Link> : isWide ? <code>{shownText(value)}</code> : value}
        </dd>
      </div>
    ))}
  </dl>
)

const marks: Readonly<Record<Tone, IconName>> = { good: 'done', warn: 'help', bad: 'close' }

const advices: Readonly<Partial<Record<Verified['judgement']['verdict'], string>>> = {
  key_open: 'If you trust the service that made it, add its keyring under “Whose keys count”.',
  unsupported:
    'The command line verifies it by the root of another authority: pharos verify FILE.tsr --ca ROOT.pem',
  not_yet: 'Keep this file: it is filled once there is a proof, by the command “upgrade” of the verifier.',
}
