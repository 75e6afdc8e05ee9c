// The report, step by step: the question of each step, and every row with its mark. Rows appear one after the
// other, in the order of the checks.
import './verify.css'
import { memo, useMemo } from 'react'
import type { Row, RowStatus } from '../../../shared/proof/verify/report.ts'
import { reportCounts, type StepGroup, stepGroups } from '../../../shared/verifier/report_summary.ts'
import { shownText } from '../ui/shown_text.tsx'

export const ReportSteps = memo(({ steps }: { steps: readonly Row[] }) => {
  const groups = useMemo(() => stepGroups({ steps }), [steps])
  return (
    <section aria-labelledby="report-steps">
      <h2 id="report-steps" className="section-title">
        Step by step
        <small>{reportCounts({ steps }).join(' · ')}</small>
      </h2>
      <ol className="report" data-testid="report">
        {groups.map((group, index) => (
          <Group key={group.name} group={group} index={index} />
        ))}
      </ol>
    </section>
  )
})
ReportSteps.displayName = 'ReportSteps'

const STEP_MS = 45

const Group = ({ group: { name, question, status, rows }, index }: { group: StepGroup; index: number }) => (
  <li
    className="report-group"
    data-status={status}
    data-testid="report-group"
    style={{ animationDelay: `${index * STEP_MS}ms` }}
  >
    <div className="report-asked">
      <h3>{name}</h3>
      <p>{question}</p>
    </div>
    <ul className="report-rows">
      {distinct(rows).map(({ key, row }) => (
        <li key={key} data-status={row.status}>
          <span className="visually-hidden">{spoken[row.status]}: </span>
          {shownText(row.message)}
        </li>
      ))}
    </ul>
  </li>
)

const spoken: Readonly<Record<RowStatus, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  warn: 'Note',
  info: 'Information',
  skip: 'Not checked',
}

/** Two rows may have the same text, so the key contains the place. The order never changes. */
const distinct = (rows: readonly Row[]): { key: string; row: Row }[] =>
  rows.map((row, place) => ({ key: `${place} ${row.message}`, row }))
