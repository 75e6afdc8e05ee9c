// The options that say how long a command waits, and for what.
import { textOption, timeOption, type Values } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { Wait } from './fill_receipt.ts'

/** Undefined without `--wait`. @throws Complaint for what is no time or no stage */
export function waitOf(values: Values): Wait | undefined {
  const until = textOption(values, 'until') ?? 'committed'
  if (until !== 'block' && until !== 'committed') throw new Complaint('--until is block or committed.')
  const most = timeOption(values, 'timeout') ?? USUAL_MS[until]
  if (values.wait === true) return { until, deadline: Date.now() + most }
  const lonely = ['until', 'timeout'].find((name) => values[name] !== undefined)
  if (lonely === undefined) return undefined
  throw new Complaint(`--${lonely} says how one waits, and nobody waits without --wait.`)
}

const USUAL_MS = { block: 180_000, committed: 10_800_000 } as const
