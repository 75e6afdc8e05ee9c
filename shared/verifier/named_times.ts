// The times that a report names, each with how far it can be relied on, in plain words.
import { CHAIN_NAMES, CHAINS, commitmentStep } from '../proof/public_chains.ts'
import type { Report, Temporal } from '../proof/verify/report.ts'
import type { Verdict } from './verdict.ts'

export interface NamedTime {
  /** Such as `on Bitcoin`. */
  readonly name: string
  /** `2027-01-01T00:03:35Z`. */
  readonly time: string
}

/** Nobody signs the time of a commitment: as long as its chain has not shown it, it is what the bundle claims. */
export const namedTimes = (
  { temporal, steps }: Pick<Report, 'temporal' | 'steps'>,
  verdict: Verdict,
): NamedTime[] =>
  TIMES.flatMap(({ member, name, shownIn }): NamedTime[] => {
    const time = temporal[member]
    if (time === undefined) return []
    const isShown = shownIn === undefined || (verdict !== 'invalid' && isConfirmed(steps, shownIn))
    return [{ name: isShown ? name : `${name}, as claimed`, time }]
  })

interface TimeRow {
  readonly member: keyof Temporal
  readonly name: string
  /** The step that confirms it; without one it stands in something signed. */
  readonly shownIn?: string
}

const TIMES: readonly TimeRow[] = [
  { member: 'claimed_at', name: 'claimed' },
  { member: 'submitted_at', name: 'submitted' },
  { member: 'captured_at', name: 'captured' },
  { member: 'committed_at', name: 'in block' },
  ...CHAIN_NAMES.map(
    (chain): TimeRow => ({
      member: `${chain}_commit`,
      name: `on ${CHAINS[chain].title}`,
      shownIn: commitmentStep(chain),
    }),
  ),
]

/** Of every entry of the chain, since no row says which one it is about. */
const isConfirmed = (steps: Report['steps'], step: string): boolean => {
  const rows = steps.filter(({ group }) => group === step)
  return rows.some(({ status }) => status === 'pass') && rows.every(({ status }) => QUIET.has(status))
}

const QUIET: ReadonlySet<string> = new Set(['pass', 'info'])
