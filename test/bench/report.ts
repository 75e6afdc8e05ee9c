// The report: one table with a row for each measurement, in Markdown that reads well as plain text too.
import type { Measurement } from './measurement.ts'

/** A row of the table: a measurement with what the machine did meanwhile, or the reason why there is none. */
export type Row =
  | { readonly name: string; readonly measured: Measurement; readonly machine: string | undefined }
  | { readonly name: string; readonly failure: string }

const HEADINGS = ['what', 'ours', 'baseline', 'ratio', 'aim', 'met', 'CPU an operation', 'peak'] as const

export function reportOf(machine: string, rows: readonly Row[]): string {
  const cells = rows.map(cellsOf)
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const notes = rows.flatMap(notesOf)
  return [
    `Machine: ${machine}.`,
    '',
    line(HEADINGS),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...cells.map(line),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
  ].join('\n')
}

function cellsOf(row: Row): readonly string[] {
  if ('failure' in row) return [row.name, 'FAILED', '', '', '', '', '', '']
  const { what, ours, baseline, ratio, aim, met, cpu, peakMib } = row.measured
  const baselineCpu = cpu?.baseline === undefined ? '' : ` (baseline ${microseconds(cpu.baseline)})`
  return [
    what,
    ours,
    baseline,
    ratio.toFixed(2),
    aim,
    met ? 'yes' : 'NOT met',
    cpu === undefined ? '' : `${microseconds(cpu.ours)}${baselineCpu}`,
    peakMib === undefined ? '' : `${Math.round(peakMib)} MiB`,
  ]
}

function notesOf(row: Row): string[] {
  if ('failure' in row) return [`- ${row.name}: ${row.failure}`]
  const { what, notes } = row.measured
  const said = [notes, row.machine].filter((text) => text !== undefined)
  return said.length === 0 ? [] : [`- ${what}: ${said.join('; ')}`]
}

const microseconds = (value: number): string =>
  value < 10_000 ? `${Math.round(value)} µs` : `${(value / 1_000).toFixed(1)} ms`
