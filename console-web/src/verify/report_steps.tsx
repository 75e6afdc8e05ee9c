// The report, step by step: the question of each step, and every row with its mark. Rows appear one after the
// other, in the order of the checks.
import type { Row, RowStatus } from '../../../shared/proof/verify/report.ts'
import { reportCounts, type StepGroup, stepGroups } from '../../../shared/verifier/report_summary.ts'
import { capital } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { shownText } from '../ui/shown_text.tsx'

export const ReportSteps = ({ steps }: { steps: readonly Row[] }) => (
  <Section title="Step by step" note={reportCounts({ steps }).join(' · ')}>
    <ol className="list" data-testid="report">
      {stepGroups({ steps }).map((group, index) => (
        <Group key={group.name} group={group} index={index} />
      ))}
    </ol>
  </Section>
)

const STEP_MS = 45

const Group = ({ group: { words, question, status, rows }, index }: { group: StepGroup; index: number }) => (
  <li
    className="pair report-group"
    data-status={status}
    data-testid="report-group"
    style={{ animationDelay: `${index * STEP_MS}ms` }}
  >
    <div>
      <h3>{capital(words)}</h3>
      <p className="note">{question}</p>
    </div>
    <ul className="signs">
      {rows.map(({ status, message }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text, and the order never changes
        <li key={place} data-tone={marks[status].tone} data-sign={marks[status].sign}>
          <span className="visually-hidden">{marks[status].spoken}: </span>
          {shownText(message)}
        </li>
      ))}
    </ul>
  </li>
)

type Mark = { readonly spoken: string; readonly sign: string; readonly tone?: string }

const marks: Readonly<Record<RowStatus, Mark>> = {
  pass: { spoken: 'Passed', sign: '✓', tone: 'good' },
  fail: { spoken: 'Failed', sign: '✕', tone: 'bad' },
  warn: { spoken: 'Note', sign: '!', tone: 'warn' },
  info: { spoken: 'Information', sign: 'i', tone: 'busy' },
  skip: { spoken: 'Not checked', sign: '' },
}

export const BeforeProof = () => (
  <section aria-label="What is checked">
    <ol className="timeline">
      {stations.map(({ name, says }) => (
        <li key={name} data-tone="warn">
          <h3>{name}</h3>
          <p>{says}</p>
        </li>
      ))}
    </ol>
  </section>
)

const stations = [
  { name: 'The data', says: 'are hashed again, here, and compared with your file if you give it.' },
  { name: 'The block', says: 'must contain exactly that hash, and have the hash it claims.' },
  { name: 'The epoch', says: 'must contain that block: its root is what was written on a public chain.' },
  { name: 'The signature', says: 'must cover all of it, by a key of a service you trust.' },
] as const
