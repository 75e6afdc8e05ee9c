// Prints a report on a terminal: what the bundle is, the steps, the verdict, and what was not checked.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { type ExitCode, type Paint, printable } from '../../../shared/cli/terminal.ts'
import type { EvidenceVerdict } from '../../../shared/evidence/verify_evidence.ts'
import type { OtsVerdict } from '../../../shared/evidence/verify_ots.ts'
import type { TimeStampVerdict } from '../../../shared/evidence/verify_time_stamp.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Row, RowStatus } from '../../../shared/proof/verify/report.ts'
import { type StepGroup, stepGroups } from '../../../shared/verifier/report_summary.ts'
import type { Judgement, Verdict } from '../../../shared/verifier/verdict.ts'

export interface Printed extends Judgement<AnyVerdict> {
  /** What it is, a line each. */
  readonly title: readonly string[]
  /** The steps, in as many parts as are told apart. */
  readonly parts: readonly (readonly Row[])[]
  /** The verdict, or what --any-key makes of it. */
  readonly counted: AnyVerdict
  /** How many steps have which outcome, where that is told. */
  readonly counts?: readonly string[]
}

/** @param keyrings where its key was looked for */
export function printReport(
  { terminal: { say, paint }, self }: Surroundings,
  { title, parts, verdict, counted, counts, headline, sentence, reservations }: Printed,
  keyrings: readonly NamedKeyring[],
): void {
  for (const line of title) say(line)
  for (const steps of parts) {
    say('')
    for (const group of stepGroups({ steps })) for (const line of groupLines(group, paint)) say(line)
  }
  say('')
  say(paint[VERDICTS[verdict].colour](paint.bold(headline)))
  say(`  ${printable(sentence)}`)
  for (const reservation of reservations) say(`  ${paint.yellow('!')} ${printable(reservation)}`)
  if (verdict === 'key_open') for (const line of keyAdvice(keyrings, counted, self)) say(`  ${line}`)
  if (counts !== undefined) say(paint.dim(`  ${counts.join(', ')}`))
}

/** One line for a step whose rows all passed. Other rows get a line each. */
const groupLines = ({ words, status, rows }: StepGroup, paint: Paint): string[] => {
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  const [only, ...more] = rows
  if (only !== undefined && more.length === 0)
    return [`${markOf(status, paint)} ${name.padEnd(NAME_WIDTH)} ${messageOf(only, paint)}`]
  return [
    `${markOf(status, paint)} ${name}`,
    ...rows.map((row) => `    ${markOf(row.status, paint)} ${messageOf(row, paint)}`),
  ]
}

const NAME_WIDTH = 35

const messageOf = ({ status, message }: Row, paint: Paint): string => {
  const shown = printable(message)
  return status === 'fail' ? paint.red(shown) : status === 'skip' ? paint.dim(shown) : shown
}

const markOf = (status: RowStatus, paint: Paint): string => {
  const [colour, mark] = MARKS[status]
  return colour === undefined ? mark : paint[colour](mark)
}

const MARKS: Readonly<Record<RowStatus, readonly [keyof Paint | undefined, string]>> = {
  pass: ['green', '✓'],
  fail: ['red', '✗'],
  warn: ['yellow', '!'],
  info: [undefined, 'i'],
  skip: ['dim', '-'],
}

export type AnyVerdict = Verdict | EvidenceVerdict | OtsVerdict | TimeStampVerdict

/** The exit code, the colour, and what stands in front of the name of a proof that is one of many. */
export const VERDICTS: Readonly<
  Record<AnyVerdict, { readonly code: ExitCode; readonly colour: keyof Paint; readonly mark: string }>
> = {
  valid: { code: 0, colour: 'green', mark: '✓' },
  preserved: { code: 0, colour: 'green', mark: '✓' },
  not_yet: { code: 3, colour: 'yellow', mark: '!' },
  not_asked: { code: 2, colour: 'yellow', mark: '!' },
  key_open: { code: 1, colour: 'yellow', mark: '!' },
  unsupported: { code: 1, colour: 'yellow', mark: '!' },
  invalid: { code: 1, colour: 'red', mark: '✗' },
  not_valid: { code: 1, colour: 'red', mark: '✗' },
}

const keyAdvice = (keyrings: readonly NamedKeyring[], counted: AnyVerdict, self: string): string[] => [
  keyrings.length === 0
    ? 'No keyring is at hand. Name that of the service you trust:'
    : `Looked in: ${keyrings.map(({ name }) => printable(name)).join(', ')}. Name that of the service you trust:`,
  `    --keyring <its keyring file, or https address>   or, to remember it:  ${self} keyring add <the same>`,
  ...(counted === 'key_open' ? [] : [`Counted as ${counted.replace('_', ' ')} because of --any-key.`]),
]
