// Prints a report on a terminal: what the bundle is, the steps, the verdict, and what was not checked.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { type Paint, plural, printable, type Terminal } from '../../../shared/cli/terminal.ts'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import type { EvidenceReport, EvidenceVerdict } from '../../../shared/evidence/verify_evidence.ts'
import type { OtsReport, OtsVerdict } from '../../../shared/evidence/verify_ots.ts'
import type { TimeStampReport, TimeStampVerdict } from '../../../shared/evidence/verify_time_stamp.ts'
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import type { ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Report, Row, RowStatus } from '../../../shared/proof/verify/report.ts'
import type { ReadTimeStamp } from '../../../shared/time_stamps/read_time_stamp.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { reportCounts, type StepGroup, stepGroups } from '../../../shared/verifier/report_summary.ts'
import { type Judgement, shownTime, type Verdict } from '../../../shared/verifier/verdict.ts'

interface Printed {
  readonly read: ReadBundle
  readonly report: Report
  readonly judgement: Judgement
  readonly keyrings: readonly NamedKeyring[]
  /** The verdict, or what --any-key makes of it. */
  readonly counted: AnyVerdict
}

export function printReport(surroundings: Surroundings, printed: Printed): void {
  const { terminal } = surroundings
  const { read, report, judgement, keyrings, counted } = printed
  for (const line of titleOf(read, report)) terminal.say(line)
  printSteps(terminal, report.steps)
  printJudgement(surroundings, judgement, keyrings, counted)
  terminal.say(terminal.paint.dim(`  ${reportCounts(report).join(', ')}`))
}

interface PrintedEvidence {
  readonly evidence: EvidenceFile
  readonly entries: number | undefined
  readonly report: EvidenceReport
  readonly judgement: Omit<Judgement, 'verdict'>
  readonly keyrings: readonly NamedKeyring[]
  readonly counted: AnyVerdict
}

export function printEvidence(surroundings: Surroundings, printed: PrintedEvidence): void {
  const { terminal } = surroundings
  const { evidence, entries, report, judgement, keyrings, counted } = printed
  const { digest, name, item } = evidence
  terminal.say(
    entries === undefined
      ? `Evidence of ${digest.type} ${toHex(digest.value)}${name === undefined ? '' : `  ${printable(name)}`}`
      : `Manifest of ${plural(entries, 'file')}`,
  )
  terminal.say(`  item ${item.id} of ${printable(item.service)}`)
  printSteps(terminal, report.rows)
  if (report.bundle !== undefined) printSteps(terminal, report.bundle.report.steps)
  printJudgement(surroundings, { ...judgement, verdict: report.verdict }, keyrings, counted)
}

interface PrintedOts {
  readonly read: ReadOts
  readonly report: OtsReport
  readonly judgement: Omit<Judgement, 'verdict'>
}

export function printOts(surroundings: Surroundings, { read, report, judgement }: PrintedOts): void {
  const { terminal } = surroundings
  terminal.say(`OpenTimestamps proof of ${read.hashType} ${toHex(read.digest)}`)
  printSteps(terminal, report.rows)
  printJudgement(surroundings, { ...judgement, verdict: report.verdict }, [], report.verdict)
}

interface PrintedTimeStamp {
  readonly read: ReadTimeStamp
  readonly report: TimeStampReport
  readonly judgement: Omit<Judgement, 'verdict'>
}

export function printTimeStamp(surroundings: Surroundings, printed: PrintedTimeStamp): void {
  const { terminal } = surroundings
  const { read, report, judgement } = printed
  const { hash, digest } = read.imprint
  terminal.say(`Time stamp of ${hash ?? 'an unknown'} ${toHex(digest)}`)
  terminal.say(
    `  ${shownTime(utcSeconds(read.timeMs) ?? 'no known time')}, serial number ${read.serial.toString(16)}`,
  )
  printSteps(terminal, report.rows)
  printJudgement(surroundings, { ...judgement, verdict: report.verdict }, [], report.verdict)
}

function printSteps({ say, paint }: Terminal, steps: readonly Row[]): void {
  say('')
  for (const group of stepGroups({ steps })) for (const line of groupLines(group, paint)) say(line)
}

function printJudgement(
  { terminal: { say, paint }, self }: Surroundings,
  judgement: Omit<Judgement, 'verdict'> & { readonly verdict: AnyVerdict },
  keyrings: readonly NamedKeyring[],
  counted: AnyVerdict,
): void {
  say('')
  say(`${verdictColour(judgement.verdict, paint)(paint.bold(judgement.headline))}`)
  say(`  ${printable(judgement.sentence)}`)
  for (const reservation of judgement.reservations) say(`  ${paint.yellow('!')} ${printable(reservation)}`)
  if (judgement.verdict === 'key_open')
    for (const line of keyAdvice(keyrings, counted, self)) say(`  ${line}`)
}

const titleOf = (read: ReadBundle, report: Report): string[] => {
  const { name, keyId } = bundleFacts(read)
  const titled = name === undefined ? '' : `  ${printable(name)}`
  const signed = report.generated_at === null ? '' : `signed ${shownTime(printable(report.generated_at))} `
  const layout = read.layout === 'compact' ? ', compact layout' : ''
  return [
    `Proof of ${report.source} ${printable(report.id ?? '(no id)')}${titled}`,
    `  ${signed}by key ${keyId ?? '(unreadable)'}${layout}`,
  ]
}

/** One line for a step whose rows all passed. Other rows get a line each. */
const groupLines = ({ name, status, rows }: StepGroup, paint: Paint): string[] => {
  const [only, ...more] = rows
  if (only !== undefined && more.length === 0)
    return [`${markOf(status, paint)} ${name.padEnd(NAME_WIDTH)} ${messageOf(only, paint)}`]
  return [
    `${markOf(status, paint)} ${name}`,
    ...rows.map((row) => `    ${markOf(row.status, paint)} ${messageOf(row, paint)}`),
  ]
}

const NAME_WIDTH = 18

const messageOf = ({ status, message }: Row, paint: Paint): string => {
  const shown = printable(message)
  return status === 'fail' ? paint.red(shown) : status === 'skip' ? paint.dim(shown) : shown
}

const markOf = (status: RowStatus, paint: Paint): string => {
  switch (status) {
    case 'pass':
      return paint.green('✓')
    case 'fail':
      return paint.red('✗')
    case 'warn':
      return paint.yellow('!')
    case 'info':
      return 'i'
    case 'skip':
      return paint.dim('-')
    default:
      return status satisfies never
  }
}

export type AnyVerdict = Verdict | EvidenceVerdict | OtsVerdict | TimeStampVerdict

/** In front of the name of a proof that is one of many. */
export function verdictMark(verdict: AnyVerdict, paint: Paint): string {
  const mark =
    verdict === 'valid' || verdict === 'preserved'
      ? '✓'
      : verdict === 'invalid' || verdict === 'not_valid'
        ? '✗'
        : '!'
  return verdictColour(verdict, paint)(mark)
}

const verdictColour = (verdict: AnyVerdict, paint: Paint): ((text: string) => string) => {
  switch (verdict) {
    case 'valid':
    case 'preserved':
      return paint.green
    case 'unsupported':
    case 'key_open':
    case 'not_yet':
    case 'not_asked':
      return paint.yellow
    case 'invalid':
    case 'not_valid':
      return paint.red
    default:
      return verdict satisfies never
  }
}

const keyAdvice = (keyrings: readonly NamedKeyring[], counted: AnyVerdict, self: string): string[] => [
  keyrings.length === 0
    ? 'No keyring is at hand. Name that of the service you trust:'
    : `Looked in: ${keyrings.map(({ name }) => printable(name)).join(', ')}. Name that of the service you trust:`,
  `    --keyring <its keyring file, or https address>   or, to remember it:  ${self} keyring add <the same>`,
  ...(counted === 'key_open' ? [] : [`Counted as ${counted.replace('_', ' ')} because of --any-key.`]),
]
