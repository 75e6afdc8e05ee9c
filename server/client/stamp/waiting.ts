// The options that say how long a command waits, and for what.
import { textOption, type Values } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { Wait } from './fill_receipt.ts'

/** Undefined without `--wait`. @throws Complaint for what is no time or no stage */
export function waitOf(values: Values): Wait | undefined {
  const until = textOption(values, 'until') ?? 'committed'
  if (until !== 'block' && until !== 'committed') throw new Complaint('--until is block or committed.')
  const timeout = textOption(values, 'timeout')
  const most = timeout === undefined ? USUAL_MS[until] : timeOf(timeout)
  if (values.wait === true) return { until, deadline: Date.now() + most }
  const lonely = ['until', 'timeout'].find((name) => values[name] !== undefined)
  if (lonely === undefined) return undefined
  throw new Complaint(`--${lonely} says how one waits, and nobody waits without --wait.`)
}

const USUAL_MS = { block: 180_000, committed: 10_800_000 } as const

/** Milliseconds. */
function timeOf(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh]?)$/.exec(text) ?? []
  if (number === undefined) throw new Complaint('--timeout is a time, such as 90 (seconds), 20m or 2h.')
  return Number(number) * (UNITS.get(unit || 's') ?? 1_000)
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])
